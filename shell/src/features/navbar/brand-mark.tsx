import css from './brand-mark.module.css';

/** The mark of the brand, as on the site's icon, drawn on a grid of 24. */
export function BrandMark() {
  return (
    <svg className={css.mark} viewBox="0 0 24 24" aria-hidden="true">
      <path className={css.peak} d="M12 1.5 22.2 22h-5.6L12 12.1 7.4 22H1.8Z" />
      <path className={css.spark} d="m12 15.4 2.3 4.9H9.7Z" />
    </svg>
  );
}
