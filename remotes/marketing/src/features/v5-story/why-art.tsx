import { art, ArtStage } from '../../art-stage.tsx';

export function WhyArt({ of }: { of: keyof typeof SHAPES }) {
  return <ArtStage>{SHAPES[of]}</ArtStage>;
}

const SHAPES = {
  // A thumb on the run button of a window over the game.
  ui: (
    <>
      <path className={art.soft} d="M0 78c20-16 36-16 56-6s42 8 64-10v38H0z" />
      <rect className={art.panel} x="16" y="16" width="88" height="58" rx="9" />
      <path className={art.line} d="M28 30h34M28 42h22" />
      <path className={art.faint} d="M28 54h28" />
      <rect className={art.app} x="66" y="48" width="30" height="16" rx="8" />
      <path className={art.ink} d="M77.5 51.5v9l7-4.5z" />
      <path
        className={art.white}
        d="M82 60c4-3 9 0 10 5l8 20c2 6 0 15-5 15H80c-7-10-6-22-4-30 1-5 3-8 6-10z"
        opacity="0.94"
      />
    </>
  ),
  // A sentence becomes lines of code.
  ai: (
    <>
      <rect className={art.app2} x="34" y="12" width="74" height="24" rx="12" />
      <path className={art.mark} d="M48 24h46" />
      <path
        className={art.app}
        d="M24 40c2.2 11 6 14.8 17 17-11 2.2-14.8 6-17 17-2.2-11-6-14.8-17-17 11-2.2 14.8-6 17-17z"
      />
      <rect className={art.panel} x="46" y="46" width="62" height="42" rx="9" />
      <path className={art.bright} d="M56 58h16" />
      <path className={art.line} d="M80 58h16M62 67h28" />
      <path className={art.bright} d="M56 76h12" />
    </>
  ),
  // A character that runs, with its speed behind it.
  speed: (
    <>
      <path className={art.soft} d="M0 82h120v18H0z" />
      <path className={art.faint} d="M8 34h34M4 50h26M12 66h28" />
      <path className={art.bright} d="M22 42h22M16 58h20" />
      <rect className={art.white} x="68" y="20" width="22" height="20" rx="6" />
      <path className={art.app} d="m60 42 28-2 4 24-26 2z" />
      <path className={art.white} d="m68 64 10 0-8 18H58zM80 64h10l14 10-6 8z" />
      <path className={art.ink} d="M80 27h3v6h-3zM86 27h3v6h-3z" />
    </>
  ),
  // A box that has just been opened.
  new: (
    <>
      <path className={art.panel} d="M26 58h68v32a6 6 0 0 1-6 6H32a6 6 0 0 1-6-6z" />
      <path className={art.app} d="M54 58h12v38H54z" />
      <path className={art.raised} d="m20 58 12-16h24l-8 16zM100 58 88 42H64l8 16z" />
      <path
        className={art.app2}
        d="M60 4c2.6 13 7 17.4 20 20-13 2.6-17.4 7-20 20-2.6-13-7-17.4-20-20 13-2.6 17.4-7 20-20z"
      />
      <circle className={art.app} cx="26" cy="22" r="4" />
      <circle className={art.white} cx="97" cy="16" r="3" />
    </>
  ),
};
