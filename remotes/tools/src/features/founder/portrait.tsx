import { useId } from 'react';
import css from './portrait.module.css';

/** A drawing of a smiling person with headphones. It shows no real person. */
export function Portrait() {
  const id = useId();

  return (
    <svg className={css.portrait} viewBox="0 0 160 160" width="148" height="148" aria-hidden="true">
      <linearGradient id={`${id}-sky`} x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" className={css.from} />
        <stop offset="1" className={css.to} />
      </linearGradient>
      <linearGradient id={`${id}-cloth`} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="#353c51" />
        <stop offset="1" stopColor="#151926" />
      </linearGradient>
      <clipPath id={`${id}-round`}>
        <circle cx="80" cy="80" r="76" />
      </clipPath>
      <g clipPath={`url(#${id}-round)`}>
        <rect width="160" height="160" fill={`url(#${id}-sky)`} />
        <circle cx="118" cy="44" r="24" className={css.moon} />
        <ellipse cx="80" cy="118" rx="36" ry="17" fill="#232a3b" />
        <path d="M68 92h24v28c0 7-24 7-24 0Z" fill="#d39a78" />
        <path fill={`url(#${id}-cloth)`} d="M14 164c0-28 20-42 50-48 4 10 28 10 32 0 30 6 50 20 50 48Z" />
        <path d="M71 124v20m18-20v20" className={css.cord} />
        <path d="M53 70c0-24 11-36 27-36s27 12 27 36c0 22-12 38-27 38S53 92 53 70Z" fill="#eebd9a" />
        <path
          d="M51 74c-4-32 9-48 30-48 20 0 32 15 28 48-2 0-4-1-4-3-1-9-4-15-9-19-11 5-25 5-35 1-4 5-6 11-6 18 0 2-2 3-4 3Z"
          fill="#2a2233"
        />
        <path d="M64 69q5-4 10 0m12 0q5-4 10 0" className={css.brows} />
        <circle cx="69" cy="77" r="2.8" fill="#2a2233" />
        <circle cx="91" cy="77" r="2.8" fill="#2a2233" />
        <path d="M70 90q10 9 20 0" className={css.smile} />
        <path d="M46 74C42 38 60 20 80 20s38 18 34 54" className={css.band} />
        <path
          d="M47 66a6 6 0 0 1 6 6v12a6 6 0 0 1-12 0V72a6 6 0 0 1 6-6Zm66 0a6 6 0 0 1 6 6v12a6 6 0 0 1-12 0V72a6 6 0 0 1 6-6Z"
          fill="#12151e"
        />
      </g>
      <circle className={css.ring} cx="80" cy="80" r="77" />
    </svg>
  );
}
