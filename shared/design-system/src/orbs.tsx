import css from './orbs.module.css';

const ORBS = Array.from({ length: 10 }, (_, index) => index);

/**
 * Ten slowly moving lights in the background of the nearest positioned element. With reduced motion they stand still.
 * They come last in it: where the browser shows a page that has arrived in part, lights before the words would move when
 * the rest comes.
 */
export function Orbs() {
  return (
    <div className={css.orbs} aria-hidden="true">
      {ORBS.map((orb) => (
        <span key={orb} className={css.orb} />
      ))}
    </div>
  );
}
