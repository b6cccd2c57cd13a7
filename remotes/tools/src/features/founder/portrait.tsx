import { useId } from 'react';
import css from './portrait.module.css';

/** A drawing of a figure with a hood. It shows no real person. */
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
        <circle cx="112" cy="52" r="30" className={css.moon} />
        <path
          fill={`url(#${id}-cloth)`}
          d="M80 26c-30 0-43 25-43 53 0 12-4 21-15 28-10 7-16 22-16 53h148c0-31-6-46-16-53-11-7-15-16-15-28 0-28-13-53-43-53Z"
        />
        <path fill="#0a0c13" d="M80 46c-18 0-26 17-26 36 0 20 11 37 26 37s26-17 26-37c0-19-8-36-26-36Z" />
        <path className={css.seam} d="M80 119c-7 9-18 14-34 16m34-16c7 9 18 14 34 16m-34-16v41" />
        <ellipse className={css.eye} cx="69" cy="82" rx="6" ry="2.6" transform="rotate(8 69 82)" />
        <ellipse className={css.eye} cx="91" cy="82" rx="6" ry="2.6" transform="rotate(-8 91 82)" />
      </g>
      <circle className={css.ring} cx="80" cy="80" r="77" />
    </svg>
  );
}
