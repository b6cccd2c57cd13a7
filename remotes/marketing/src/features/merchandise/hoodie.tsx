import css from './hoodie.module.css';

/** A drawing of a hoodie with the V5 logo: cloth with folds, hood, cords, cuffs and a pocket. */
export function Hoodie() {
  return (
    <svg className={css.hoodie} viewBox="0 0 220 200" aria-hidden="true">
      <path className={css.sleeve} d="M66 44c-18 5-28 14-33 32L10 152c-2 7 1 11 7 13l18 5c6 1 10-1 12-7l20-60z" />
      <path className={css.sleeve} d="M154 44c18 5 28 14 33 32l23 76c2 7-1 11-7 13l-18 5c-6 1-10-1-12-7l-20-60z" />
      <path
        className={css.cuff}
        d="m12 146 40 12-5 14c-1 4-4 5-8 4l-26-7c-5-2-7-5-5-9zM208 146l-40 12 5 14c1 4 4 5 8 4l26-7c5-2 7-5 5-9z"
      />
      <path
        className={css.cloth}
        d="M66 44c14-6 28-8 44-8s30 2 44 8c8 20 8 44 6 66l2 70c0 7-4 10-10 10H68c-6 0-10-3-10-10l2-70c-2-22-2-46 6-66z"
      />
      <path
        className={css.shade}
        d="M66 44c-8 20-8 44-6 66l-2 70c0 7 4 10 10 10h10c-6-50-10-98-12-146zM154 44c8 20 8 44 6 66l2 70c0 7-4 10-10 10h-10c6-50 10-98 12-146z"
      />
      <path className={css.cuff} d="M59 172h102l1 10c0 6-4 9-10 9H68c-6 0-10-3-10-9z" />
      <path className={css.hood} d="M68 48C66 20 84 6 110 6s44 14 42 42c-8 18-24 28-42 28S76 66 68 48Z" />
      <path className={css.inside} d="M80 44c0-18 12-27 30-27s30 9 30 27c-6 12-17 18-30 18s-24-6-30-18Z" />
      <path
        className={css.fold}
        d="M80 44c10 8 20 11 30 11s20-3 30-11M74 118c4 8 6 16 6 26M146 118c-4 8-6 16-6 26M34 92c4 8 5 16 4 26M186 92c-4 8-5 16-4 26"
      />
      <path className={css.cord} d="M97 66c-2 10-2 20-1 32M123 66c2 10 2 20 1 32" />
      <path className={css.pocket} d="M78 168l10-26h44l10 26" />
      <path className={css.badge} d="m110 86 17 36h-9l-8-18-8 18h-9z" />
      <path
        className={css.badge}
        d="M110 112c1 4.5 2.3 5.8 6.8 6.8-4.5 1-5.8 2.3-6.8 6.8-1-4.5-2.3-5.8-6.8-6.8 4.5-1 5.8-2.3 6.8-6.8z"
      />
    </svg>
  );
}
