import { art, ArtStage } from '../../art-stage.tsx';

export function NeoArt({ of }: { of: keyof typeof SHAPES }) {
  return <ArtStage>{SHAPES[of]}</ArtStage>;
}

const SHAPES = {
  // A price tag of nothing.
  free: (
    <>
      <path
        className={art.app}
        d="M14 30a8 8 0 0 1 8-8h48a10 10 0 0 1 7 3l22 20a7 7 0 0 1 0 10L77 75a10 10 0 0 1-7 3H22a8 8 0 0 1-8-8z"
      />
      <circle className={art.ink} cx="86" cy="50" r="6" />
      <text className={art.price} x="22" y="58">
        0 €
      </text>
    </>
  ),
  // A feather on a phone.
  light: (
    <>
      <rect className={art.panel} x="12" y="30" width="96" height="54" rx="11" />
      <rect className={art.raised} x="22" y="40" width="34" height="34" rx="6" />
      <path className={art.bright} d="M29 50h14" />
      <path className={art.line} d="M29 60h20" />
      <path className={art.white} d="M100 8C76 8 62 24 62 46c0 4 0 6-1 9 26-3 39-19 39-47z" />
      <path className={art.mark} d="M56 66c8-18 16-30 30-42" />
    </>
  ),
  // Two phones.
  both: (
    <>
      <rect className={art.panel} x="16" y="12" width="40" height="76" rx="9" />
      <rect className={art.panel} x="64" y="12" width="40" height="76" rx="9" />
      <path className={art.line} d="M24 24h16M72 24h16" />
      <path className={art.faint} d="M24 35h22M24 46h14M72 35h22M72 46h14" />
      <rect className={art.app} x="22" y="64" width="28" height="15" rx="7" />
      <rect className={art.app} x="70" y="64" width="28" height="15" rx="7" />
      <path className={art.ink} d="M33 67.5v8l6.5-4zM81 67.5v8l6.5-4z" />
    </>
  ),
  // A speech bubble with five stars.
  loved: (
    <>
      <path
        className={art.panel}
        d="M18 14h84a8 8 0 0 1 8 8v42a8 8 0 0 1-8 8H52L34 90V72H18a8 8 0 0 1-8-8V22a8 8 0 0 1 8-8z"
      />
      {[27, 43.5, 60, 76.5, 93].map((x) => (
        <path
          key={x}
          className={art.app}
          transform={`translate(${x} 43)`}
          d="m0-9 2.6 5.7 6.2.7-4.6 4.2 1.3 6.1L0 4.7l-5.5 3 1.3-6.1-4.6-4.2 6.2-.7z"
        />
      ))}
    </>
  ),
};
