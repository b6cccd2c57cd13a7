import { art, ArtStage } from '../../art-stage.tsx';

export function TourArt({ of }: { of: keyof typeof SHAPES }) {
  return <ArtStage>{SHAPES[of]}</ArtStage>;
}

const KEYS = ['qwert', 'asdfg', 'zxcvb'].flatMap((row, line) =>
  [...row].map((key, at) => ({ key, x: 12 + at * 20, y: 18 + line * 20 })),
);

const SHAPES = {
  // One window: the script, and two buttons.
  ui: (
    <>
      <rect className={art.panel} x="12" y="14" width="96" height="72" rx="8" />
      <text className={art.letter} x="22" y="30">
        Script
      </text>
      <path className={art.line} d="M22 40h44M22 51h30" />
      <rect className={art.raised} x="22" y="64" width="34" height="14" rx="5" />
      <text className={art.letter} x="28" y="74">
        Clear
      </text>
      <rect className={art.app} x="62" y="64" width="36" height="14" rx="5" />
      <path className={art.ink} d="M77 67v8l6.5-4z" />
    </>
  ),
  // The floating icon over a game, under a finger.
  icon: (
    <>
      <path className={art.soft} d="M0 76c22-18 40-16 58-4s40 8 62-12v40H0z" />
      <circle className={art.raised} cx="52" cy="40" r="30" opacity="0.6" />
      <circle className={art.app} cx="52" cy="40" r="21" />
      <path className={art.mark} d="m42 42 10-8 10 8m-20 9 10-8 10 8" />
      <path className={art.white} d="M66 50c4-3 9 0 10 5l9 22c2 6 0 17-5 17H64c-7-10-6-24-4-32 1-5 3-9 6-12z" />
    </>
  ),
  // A character that runs while the script does.
  performance: (
    <>
      <path className={art.soft} d="M0 82h120v18H0z" />
      <rect className={art.panel} x="12" y="14" width="52" height="34" rx="7" />
      <path className={art.line} d="M21 25h22M21 36h14" />
      <path className={art.app} d="M49 31v11l9-5.5z" />
      <path className={art.faint} d="M34 62h24M26 72h26" />
      <rect className={art.white} x="80" y="30" width="18" height="16" rx="5" />
      <path className={art.app} d="M76 48h24v18H76z" />
      <path className={art.white} d="M78 66h9l-6 16h-9zM89 66h9l8 14h-9z" />
    </>
  ),
  // Keys with letters, and a bracket among them.
  keyboard: (
    <>
      {KEYS.map(({ key, x, y }) => (
        <g key={key} transform={`translate(${x} ${y})`}>
          <rect className={art.raised} width="17" height="17" rx="4" />
          <text className={art.letter} x="8.5" y="12" textAnchor="middle">
            {key}
          </text>
        </g>
      ))}
      <rect className={art.app} x="12" y="78" width="27" height="13" rx="4" />
      <path className={art.mark} d="m23 81-3 3.5 3 3.5m5-7 3 3.5-3 3.5" strokeWidth="2" />
      <rect className={art.raised} x="43" y="78" width="66" height="13" rx="4" />
    </>
  ),
  // Numbered lines with colours.
  editor: (
    <>
      <rect className={art.panel} x="12" y="14" width="96" height="72" rx="8" />
      {[1, 2, 3, 4].map((line) => (
        <text key={line} className={art.letter} x="20" y={14 + line * 16} opacity="0.6">
          {line}
        </text>
      ))}
      <path className={art.bright} d="M34 27h14M42 43h20M34 75h12" />
      <path className={art.line} d="M56 27h34M70 43h24M42 59h42" />
    </>
  ),
  // A key, and how long it works.
  key: (
    <>
      <circle className={art.app} cx="34" cy="38" r="20" />
      <circle className={art.ink} cx="29" cy="38" r="6" />
      <path className={art.app} d="M50 33h54v10h-8v12h-9V43h-8v8h-9v-8H50z" />
      <text className={art.word} x="36" y="86">
        24 h
      </text>
    </>
  ),
  // Three plans; the largest stands out.
  plans: (
    <>
      <rect className={art.raised} x="12" y="46" width="28" height="42" rx="6" />
      <rect className={art.raised} x="46" y="32" width="28" height="56" rx="6" />
      <rect className={art.app} x="80" y="14" width="28" height="74" rx="6" />
      <path className={art.line} d="M19 58h14M53 44h14M53 56h8" />
      <path className={art.mark} d="m87 33 5 5 9-11" />
    </>
  ),
  // A shield with a check.
  security: (
    <>
      <path className={art.panel} d="m60 8 36 13v27c0 22-15 37-36 45-21-8-36-23-36-45V21z" />
      <path className={art.soft} d="M60 8v85c-21-8-36-23-36-45V21z" />
      <path className={art.bright} d="m44 50 12 12 22-24" strokeWidth="6" />
    </>
  ),
};
