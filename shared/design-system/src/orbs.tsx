import css from './orbs.module.css';

const ORBS = Array.from({ length: 10 }, (_, index) => index);

/** Ten slow lights behind a first screen. Fills the nearest positioned box; stands still for whoever wants stillness. */
export function Orbs() {
  return (
    <div className={css.orbs} aria-hidden="true">
      {ORBS.map((orb) => (
        <span key={orb} className={css.orb} />
      ))}
    </div>
  );
}
