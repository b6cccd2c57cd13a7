import type { ReactNode } from 'react';
import css from './reseller-mark.module.css';

/** The logos by the id in `logo` of a reseller, drawn on a grid of 64 × 64: each is a shop with a shape of its own. */
const MARKS: Readonly<Record<string, ReactNode>> = {
  // A flagship store: a gate in the shape of the letter A, under a flag.
  'mark-1': (
    <>
      <path
        className={css.red}
        d="M6 18A12 12 0 0 1 18 6h28a12 12 0 0 1 12 12v28a12 12 0 0 1-12 12H18A12 12 0 0 1 6 46z"
      />
      <path className={css.white} d="M32 13 51 50H40.5L32 33l-8.5 17H13z" />
      <path
        className={css.gold}
        d="M32 36c1.2 5.4 2.6 6.8 8 8-5.4 1.2-6.8 2.6-8 8-1.2-5.4-2.6-6.8-8-8 5.4-1.2 6.8-2.6 8-8z"
      />
    </>
  ),
  // A corner house whose door is a keyhole.
  'mark-2': (
    <>
      <path className={css.violet} d="M32 3 59 19v30L32 62 5 49V19z" />
      <path className={css.lilac} d="M32 3 59 19 32 33 5 19z" />
      <path className={css.ink} d="M32 33v29L5 49V19z" opacity="0.22" />
      <path className={css.gold} d="M45 33.5a6 6 0 0 1 3 11.2l1.5 9-7 3.4V44.6a6 6 0 0 1 2.5-11.100z" />
    </>
  ),
  // A market stall with a striped awning, and fruit on the table.
  'mark-3': (
    <>
      <path className={css.wood} d="M10 24h4v36h-4zM50 24h4v36h-4z" />
      <path className={css.green} d="M6 42h52v12H6z" />
      <path
        className={css.orange}
        d="M8 6h48l6 18a7.5 7.5 0 0 1-15 0 7.5 7.5 0 0 1-15 0 7.5 7.5 0 0 1-15 0 7.5 7.5 0 0 1-15 0z"
      />
      <path className={css.white} d="M20 6h12v18a7.5 7.5 0 0 1-15 0zM44 6h12l6 18a7.5 7.5 0 0 1-15 0z" />
      <circle className={css.red} cx="20" cy="39" r="5" />
      <circle className={css.gold} cx="31" cy="38" r="6" />
      <circle className={css.red} cx="43" cy="39" r="5" />
    </>
  ),
  // A round sign over a night street: the moon, and a window that is lit.
  'mark-4': (
    <>
      <circle className={css.navy} cx="32" cy="32" r="29" />
      <path className={css.moon} d="M43 8a13 13 0 1 0 9 21A15 15 0 0 1 43 8z" />
      <path className={css.sky} d="M9 49V34l13-9 13 9v26.800A29 29 0 0 1 9 49z" />
      <path className={css.gold} d="M16 38h12v11H16z" />
      <path className={css.navy} d="M21 38h2v11h-2zM16 42.500h12v2H16z" />
      <path className={css.white} d="m47 40 1.3 3.700L52 45l-3.7 1.300L47 50l-1.3-3.700L42 45l3.7-1.300z" />
    </>
  ),
};

/** The hues of monograms. A name always has the same. */
const HUES = ['red', 'violet', 'green', 'orange', 'sky'] as const;

/** The logo of a reseller. For an unknown id it is a monogram: one or two letters of the name on a seal. */
export function ResellerMark({ logo, name }: { logo: string; name: string }) {
  return (
    <svg className={css.mark} data-mark={logo} viewBox="0 0 64 64" aria-hidden="true">
      {Object.hasOwn(MARKS, logo) ? MARKS[logo] : <Monogram name={name} />}
    </svg>
  );
}

function Monogram({ name }: { name: string }) {
  const letters = name.split(/[^\p{L}\p{N}]+/u).flatMap((word) => [...word].slice(0, 1));
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);

  return (
    <>
      <path className={css[HUES[sum % HUES.length] ?? 'red']} d={SEAL} />
      <circle className={css.ring} cx="32" cy="32" r="21.5" />
      <text className={css.letters} x="32" y="40" textAnchor="middle">
        {letters.slice(0, 2).join('').toUpperCase()}
      </text>
    </>
  );
}

/** A seal with twelve round teeth. */
const SEAL =
  'M24.8 5A7.8 7.8 0 0 1 39.2 5A7.8 7.8 0 0 1 51.8 12.2A7.8 7.8 0 0 1 59 24.8A7.8 7.8 0 0 1 59 39.2A7.8 7.8 0 0 1 51.8 51.8A7.8 7.8 0 0 1 39.2 59A7.8 7.8 0 0 1 24.8 59A7.8 7.8 0 0 1 12.2 51.8A7.8 7.8 0 0 1 5 39.2A7.8 7.8 0 0 1 5 24.8A7.8 7.8 0 0 1 12.2 12.2A7.8 7.8 0 0 1 24.8 5z';
