import css from './orbs.module.css';

const ORBS = Array.from({ length: 10 }, (_, index) => index);

/**
 * Ten slowly moving lights in the background of the nearest positioned element. With reduced motion they stand still.
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
