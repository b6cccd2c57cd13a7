import css from './hidden-script.module.css';

/** A script, and what others see of it: as many lines, and nothing to read. */
export function HiddenScript() {
  return (
    <svg className={css.picture} viewBox="0 0 112 56" aria-hidden="true">
      <rect className={css.page} x="1" y="1" width="42" height="54" rx="6" />
      <path className={css.words} d="M9 13h20M9 23h26M15 33h16M9 43h12" />
      <path className={css.arrow} d="M51 28h10m-4-4 4 4-4 4" />
      <rect className={css.page} x="69" y="1" width="42" height="54" rx="6" />
      <path className={css.blocks} d="M77 13h26M77 23h26M77 33h26M77 43h18" />
    </svg>
  );
}
