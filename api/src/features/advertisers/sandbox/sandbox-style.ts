export const STYLE = `:root { color-scheme: dark; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: #10131a; color: #e8ebf4; font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(26rem, 100% - 2rem); padding: 2rem 1.5rem; border: 2px dashed #c9a227; border-radius: 20px; box-sizing: border-box; }
.label { margin: 0; color: #f0c948; font-weight: 700; letter-spacing: .06em; text-transform: uppercase; font-size: .8125rem; }
h1 { margin: .25rem 0 .5rem; font-size: 1.75rem; }
p { margin: 0; color: #aab2c8; }
[role=timer] { margin-top: 1.5rem; font-variant-numeric: tabular-nums; min-height: 1.5em; }
button { min-height: 44px; padding: .5rem 1rem; border: 1px solid #ffffff33; border-radius: 12px; background: none; color: inherit; font: inherit; cursor: pointer; }
button:disabled { opacity: .45; cursor: default; }
.continue { width: 100%; margin: .75rem 0 1.5rem; background: #f0c948; color: #14110a; font-weight: 700; border: 0; }
fieldset { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; padding: .75rem; border: 1px solid #ffffff1f; border-radius: 12px; }
legend { padding: 0 .375rem; color: #aab2c8; font-size: .875rem; }
`;
