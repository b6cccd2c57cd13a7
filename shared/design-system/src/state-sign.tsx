import type { ReactNode } from 'react';
import css from './state-sign.module.css';

interface StateSignProps {
  /** `waiting`: it will be told by itself. `open`: the visitor has to decide. `mail`: it goes on in an email. */
  is: 'done' | 'failed' | 'waiting' | 'open' | 'mail';
  from: ReactNode;
  to: ReactNode;
}

/** The outlines of things: a third of the text's colour on their surface. */
const OUTLINE_COLOUR = '#636771';
const OUTLINE_STYLE = { fill: 'var(--surface-2)', stroke: OUTLINE_COLOUR, strokeWidth: 2 } as const;
const DETAIL_STYLE = { fill: 'none', stroke: OUTLINE_COLOUR, strokeWidth: 3 } as const;

/** What stands in the disc when it did not simply work: a cross, a clock, a question mark, a letter. */
const STATUS_MARKS = {
  failed: 'm163 63 34 34m0-34-34 34',
  waiting: 'M180 58v23l16 11',
  open: 'M165 69a15 15 0 1 1 22 13.3c-5 2.7-7 5.7-7 11.7m0 13v.1',
  mail: 'M156 64h48v33h-48zl24 19 24-19',
};

/** A drawing of whether something worked, or what it waits for: start, result and goal. The text beside it says the same. */
export function StatusIcon({ is, from, to }: StateSignProps) {
  return (
    <svg
      className={css.sign}
      data-is={is}
      viewBox="0 0 360 160"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <g transform="translate(66 80)">{from}</g>
      <g className={css.end} transform="translate(294 80)">
        {to}
      </g>
      <path className={css.way} d="M119 80h13" />
      <path className={css.way} data-last d="M228 80h13" />
      <circle className={css.disc} cx="180" cy="80" r="46" />
      {is === 'done' ? (
        <>
          <path className={css.stroke} pathLength="1" d="m159 81 14 14 29-30" />
          <g fill="var(--sign)" opacity="0.75">
            <path d="M108 12c1.7 7.3 3.7 9.3 11 11-7.3 1.7-9.3 3.7-11 11-1.7-7.3-3.7-9.3-11-11 7.3-1.7 9.3-3.7 11-11z" />
            <path d="M257 6c1.1 4.7 2.3 5.9 7 7-4.7 1.1-5.9 2.3-7 7-1.1-4.7-2.3-5.9-7-7 4.7-1.1 5.9-2.3 7-7z" />
            <path d="M248 128c1.4 6 3 7.6 9 9-6 1.4-7.6 3-9 9-1.4-6-3-7.6-9-9 6-1.4 7.6-3 9-9z" />
            <path d="M104 134c1 4.2 2.1 5.2 6.2 6.2-4.1 1-5.2 2.1-6.2 6.2-1-4.1-2.1-5.2-6.2-6.2 4.1-1 5.2-2 6.2-6.2z" />
          </g>
        </>
      ) : (
        <path className={css.stroke} pathLength="1" d={STATUS_MARKS[is]} />
      )}
    </svg>
  );
}

export function DeviceSign() {
  return (
    <g {...OUTLINE_STYLE}>
      <rect x="-48" y="-29" width="96" height="58" rx="12" />
      <path {...DETAIL_STYLE} d="M-38-7V7m16-15h26m-26 11h44m-44 11h20" />
    </g>
  );
}

export function CardSign() {
  return (
    <g {...OUTLINE_STYLE}>
      <rect x="-48" y="-31" width="96" height="62" rx="12" />
      <path stroke={OUTLINE_COLOUR} strokeWidth="11" strokeLinecap="butt" d="M-48-10h96" />
      <path {...DETAIL_STYLE} d="M-34 14h26m38 0h4" />
    </g>
  );
}

export function DaysSign({ days }: { days?: number }) {
  return (
    <g {...OUTLINE_STYLE}>
      <rect x="-40" y="-36" width="80" height="76" rx="14" />
      <path {...DETAIL_STYLE} d="M-40-14h80M-18-44v14m36-14v14" />
      {days === undefined ? (
        <path {...DETAIL_STYLE} d="M-22 4h8m10 0h8m10 0h8m-44 18h8m10 0h8" />
      ) : (
        <text className={css.days} y="24" textAnchor="middle">
          {days}
        </text>
      )}
    </g>
  );
}
