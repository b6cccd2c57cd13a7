import css from './hoodie.module.css';

/** A drawing of a hoodie with the V5 logo. */
export function Hoodie() {
  return (
    <svg className={css.hoodie} viewBox="0 0 220 200" aria-hidden="true">
      <path className={css.cloth} d="M72 34 34 52 8 150l34 10 14-46v76h108v-76l14 46 34-10-26-98-38-18z" />
      <path className={css.hood} d="M72 34c4-22 20-30 38-30s34 8 38 30c-10 20-24 28-38 28S82 54 72 34Z" />
      <path className={css.inside} d="M84 36c4-14 14-20 26-20s22 6 26 20c-6 12-16 18-26 18s-20-6-26-18Z" />
      <path className={css.seam} d="M98 60v26m24-26v26M72 150l12-18h52l12 18v40M72 150v40M56 114V96m108 18V96" />
      <path className={css.badge} d="m110 84 17 36h-9l-8-18-8 18h-9z" />
    </svg>
  );
}
