import css from './success-sign.module.css';

/** Two devices let go of, and a tick: done, before a word is read. */
export function SuccessSign() {
  return (
    <svg className={css.sign} viewBox="0 8 320 114" aria-hidden="true">
      <g className={css.device}>
        <rect x="20" y="38" width="92" height="54" rx="10" />
        <rect x="208" y="38" width="92" height="54" rx="10" />
        <path d="M32 58v14M288 58v14" />
      </g>
      <path className={css.gap} d="M118 65h14m56 0h14" />
      <circle className={css.disc} cx="160" cy="65" r="42" />
      <path className={css.tick} pathLength="1" d="m141 66 13 13 26-27" />
    </svg>
  );
}
