import css from './key-sign.module.css';

/** A large check that draws itself, with a short burst around it. */
export function KeySign() {
  return (
    <svg className={css.sign} viewBox="0 0 120 120" aria-hidden="true">
      <path
        className={css.burst}
        d="M60 14V4m32.500 23.500 7-7M106 60h10M92.500 92.500l7 7M60 106v10M27.500 92.500l-7 7M14 60H4m23.500-32.500-7-7"
      />
      <circle className={css.disc} cx="60" cy="60" r="38" />
      <path className={css.check} pathLength="1" d="m43 61 12 12 23-25" />
    </svg>
  );
}
