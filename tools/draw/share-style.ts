/** The stylesheet of the pictures of shared links. It uses the tokens and fonts of the site. */
export const STYLE = `
  body { min-height: 0; overflow: hidden; }
  body::before { display: none; }
  #picture { position: relative; width: 1200px; height: 630px; overflow: hidden; isolation: isolate; background:
    radial-gradient(720px 560px at 92% 18%, color-mix(in srgb, var(--app) 42%, transparent), transparent),
    radial-gradient(640px 520px at 58% 108%, color-mix(in srgb, var(--app-2) 34%, transparent), transparent),
    radial-gradient(520px 420px at 0% 0%, color-mix(in srgb, var(--app-2) 16%, transparent), transparent), var(--bg); }
  #picture header { position: absolute; left: 72px; top: 0; z-index: 2; display: flex; flex-direction: column;
    justify-content: center; width: 500px; height: 630px; }
  #picture header > svg { width: 104px; height: 104px; margin-bottom: 30px; }
  #picture .over { color: var(--text); font: 600 42px/1.1 var(--font-display); letter-spacing: -0.02em; }
  #picture h1 { margin: 2px 0 18px -4px; font-size: 148px; line-height: 1; letter-spacing: -0.05em; white-space: nowrap; }
  #picture h1[data-length='long'] { margin-top: 8px; font-size: 84px; }
  #picture .line { max-width: 440px; color: #cdd3e4; font: 500 34px/1.28 var(--font-text); text-wrap: balance; }
  #picture ul { display: flex; gap: 12px; margin-top: 28px; }
  #picture li { padding: 8px 20px; border: 2px solid color-mix(in srgb, var(--app) 55%, transparent); border-radius: 99px;
    background: color-mix(in srgb, var(--app) 14%, var(--surface)); color: color-mix(in srgb, var(--app) 70%, white);
    font: 700 26px/1.3 var(--font-text); white-space: nowrap; }
  #picture .key { display: block; width: 100%; height: auto; overflow: visible; fill: #6b7590;
    stroke-linejoin: round; filter: drop-shadow(0 0 18px color-mix(in srgb, var(--ok) 35%, transparent)); }
  #picture .key .tooth { fill: var(--ok); stroke: var(--ok); stroke-width: 1.5; }
  #picture .key .lines { fill: none; stroke: var(--line-strong); stroke-width: 1.5; stroke-linecap: round; }
  #picture .art { position: absolute; z-index: 1; }
  #picture [data-art='phone'] { left: 500px; top: 116px; width: 800px; perspective: 1800px;
    filter: drop-shadow(0 40px 50px rgb(0 0 0 / 0.6)); }
  #picture [data-art='phone'] svg:first-child { transform: rotateY(-16deg) rotateX(6deg) rotateZ(-3deg); }
  #picture [data-art='key'] { left: 60px; bottom: 72px; width: 1080px; }
  #picture:has([data-art='key']) header { width: 760px; height: 452px; }
  #picture:has([data-art='key']) .line { max-width: none; white-space: nowrap; }
  #picture [data-art='plans'] { right: 72px; top: 93px; display: grid; gap: 22px; width: 520px; }
  #picture [data-art='plans'] div { display: grid; grid-template-columns: 1fr auto; align-items: center; height: 134px;
    padding: 0 34px; box-sizing: border-box; border: 2px solid var(--line-strong); border-radius: 28px;
    background: color-mix(in srgb, var(--surface) 92%, transparent); box-shadow: var(--shadow); }
  #picture [data-art='plans'] div:last-child { border-color: var(--app);
    background: color-mix(in srgb, var(--app) 22%, var(--surface)); }
  #picture b { font: 700 36px/1 var(--font-display); letter-spacing: -0.02em; align-self: end; padding-bottom: 6px; }
  #picture span { grid-row: 2; align-self: start; color: var(--text-quiet); font: 500 26px/1.2 var(--font-text); }
  #picture strong { grid-area: 1 / 2 / 3; font: 700 52px/1 var(--font-display); letter-spacing: -0.03em; }
  #picture :is([data-art='marks'], [data-art='shops']) { right: 96px; top: 105px; display: grid; grid-template-columns: 200px 200px; gap: 20px; }
  #picture :is([data-art='marks'], [data-art='shops']) svg { width: 200px; height: 200px; }
`;
