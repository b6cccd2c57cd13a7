import type { ReactNode } from 'react';
import css from './reseller-mark.module.css';

/** The logos by the id in `logo` of a reseller. */
const MARKS: Readonly<Record<string, ReactNode>> = {
  'mark-1': <path d="M30 12 46 19v11c0 10-6.5 16-16 19-9.5-3-16-9-16-19V19zm-7.5 17.5 5.5 5.5 10-10.5" />,
  'mark-2': <path d="M24 36a8 8 0 1 1 6.5-12.6L47 23v7h-5v5h-6v-4h-4.5A8 8 0 0 1 24 36Zm-2.5-8h.1" />,
  'mark-3': <path d="M15 25h30l-3-10H18zm0 0a5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0M18 31v15h24V31" />,
  'mark-4': <path d="M40 38a15 15 0 1 1-12-24 12 12 0 0 0 12 24Zm1-22v6m-3-3h6" />,
};

/** The logo of a reseller. For an unknown id it shows the first letter of the name. */
export function ResellerMark({ logo, name }: { logo: string; name: string }) {
  const mark = MARKS[logo];

  return (
    <svg className={css.mark} data-mark={logo} viewBox="0 0 60 60" width="60" height="60" aria-hidden="true">
      <rect className={css.tile} width="60" height="60" rx="16" />
      {mark ? (
        <g className={css.glyph}>{mark}</g>
      ) : (
        <text className={css.letter} x="30" y="39" textAnchor="middle">
          {name.slice(0, 1)}
        </text>
      )}
    </svg>
  );
}
