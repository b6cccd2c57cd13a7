import css from './start-art.module.css';

/** The drawing of a step: the app on a phone, its button, the plans. */
export function StartArt({ of }: { of: keyof typeof SHAPES }) {
  return (
    <svg className={css.art} viewBox="0 0 120 80" aria-hidden="true">
      {SHAPES[of]}
    </svg>
  );
}

const SHAPES = {
  open: (
    <>
      <rect className={css.phone} x="14" y="14" width="92" height="52" rx="11" />
      <rect className={css.accent} x="46" y="26" width="28" height="28" rx="8" />
      <path className={css.ink} d="m60 31 9 18h-5.2L60 41l-3.8 8H51z" />
      <path className={css.ghost} d="M24 28h12v12H24zM84 28h12v12H84z" />
    </>
  ),
  tap: (
    <>
      <rect className={css.phone} x="14" y="14" width="92" height="52" rx="11" />
      <path className={css.line} d="M26 28h34" />
      <rect className={css.accent} x="26" y="38" width="68" height="20" rx="10" />
      <text className={css.word} x="60" y="51.5" textAnchor="middle">
        Get Plan
      </text>
      <path className={css.hand} d="M82 50c4-3 8 0 9 4l6 15c2 5 0 11-4 11H82c-6-8-5-17-4-23 1-3 2-5 4-7z" />
    </>
  ),
  choose: (
    <>
      <rect className={css.phone} x="12" y="34" width="28" height="36" rx="6" />
      <rect className={css.phone} x="46" y="24" width="28" height="46" rx="6" />
      <rect className={css.accent} x="80" y="10" width="28" height="60" rx="6" />
      <path className={css.line} d="M19 46h14M53 36h14M53 46h8" />
      <path className={css.check} d="m87 28 5 5 9-11" />
    </>
  ),
};
