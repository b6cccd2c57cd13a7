import css from './start-art.module.css';

/**
 * A close look at the phone in each step: the icon of the app, its button, the list of plans. The words are large
 * enough for the narrowest phones, where a picture is 90 pixels wide.
 */
export function StartArt({ of }: { of: keyof typeof VIEWS }) {
  return (
    <svg className={css.art} viewBox="0 0 120 80" aria-hidden="true">
      {VIEWS[of]}
    </svg>
  );
}

const VIEWS = {
  open: (
    <>
      <path className={css.ghost} d="M-14 22h36v36h-36zM98 22h36v36H98z" />
      <rect className={css.accent} x="36" y="14" width="48" height="48" rx="14" />
      <path className={css.ink} d="m60 22.5 14.5 29.5h-7.8L60 37.6 53.3 52h-7.8z" />
      <path className={css.line} d="M42 72h36" />
    </>
  ),
  tap: (
    <>
      <rect className={css.panel} x="-8" y="-12" width="136" height="78" rx="14" />
      <path className={css.line} d="M14 10h46" />
      <circle className={css.tap} cx="98" cy="46" r="21" />
      <rect className={css.accent} x="12" y="24" width="96" height="32" rx="12" />
      <text className={css.word} x="60" y="45.5" textAnchor="middle">
        Get Plan
      </text>
    </>
  ),
  choose: (
    <>
      {['Basic', 'Plus', 'Premium'].map((plan, at) => (
        <g key={plan} transform={`translate(12 ${-8 + at * 34})`}>
          <rect className={at === 1 ? css.accent : css.panel} width="130" height="28" rx="10" />
          <circle className={at === 1 ? css.ink : css.ghost} cx="16" cy="14" r="5" />
          <text className={at === 1 ? css.word : css.quiet} x="29" y="19.5">
            {plan}
          </text>
        </g>
      ))}
    </>
  ),
};
