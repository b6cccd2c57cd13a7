import css from './start-art.module.css';

/** The phone in each step: the icon of the app, its button, the list of plans. */
export function StartArt({ of }: { of: keyof typeof VIEWS }) {
  return (
    <svg className={css.art} viewBox="0 0 100 124" aria-hidden="true">
      <rect className={css.phone} x="2" y="2" width="96" height="120" rx="15" />
      {VIEWS[of]}
    </svg>
  );
}

const VIEWS = {
  open: (
    <>
      <path className={css.faint} d="M16 25h12v12H16zm28 0h12v12H44zm28 0h12v12H72zM16 60h12v12H16zm56 0h12v12H72z" />
      <rect className={css.accent} x="33" y="50" width="34" height="34" rx="10" />
      <path className={css.sign} d="m42.5 74.5 7.5-15 7.5 15" />
    </>
  ),
  tap: (
    <>
      <path className={css.faint} d="M16 24h28M16 36h54M26 48h32" />
      <rect className={css.accent} x="10" y="68" width="80" height="28" rx="9" />
      <text className={css.word} x="50" y="87">
        Get Plan
      </text>
    </>
  ),
  choose: (
    <>
      {['Basic', 'Plus', 'Premium'].map((plan, at) => (
        <g key={plan} transform={`translate(10 ${15 + at * 33})`}>
          <rect className={at === 1 ? css.accent : css.row} width="80" height="28" rx="9" />
          <text className={at === 1 ? css.word : css.quiet} x="40" y="19">
            {plan}
          </text>
        </g>
      ))}
    </>
  ),
};
