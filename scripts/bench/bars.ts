import { median } from './median.ts';
import type { Row } from './table.ts';

/** A call, and how fast it is now beside before, once for each round. */
export interface Comparison {
  database: string;
  call: string;
  /** Calls per second now, divided by calls per second before. */
  ratios: readonly number[];
}

/** How fast a call has to be beside before: no slower than the tenth by which rates vary anyway. */
const BAR = 0.9;
/** What was to become faster. */
const BARS: Record<string, number> = { state: 1.3 };

/** A bar is missed when it is missed in so many rounds: one slow round is the machine's. */
const MISSES = 2;

/** A line of the table: the ratios of all rounds, their median, and whether that will do. */
export function assess({ database, call, ratios }: Comparison): Row {
  const bar = BARS[call] ?? BAR;
  const isMissed = ratios.filter((ratio) => ratio < bar).length >= MISSES;
  return {
    database,
    call,
    rounds: ratios.map((ratio) => ratio.toFixed(2)).join(' '),
    'now/before': median(ratios),
    bar,
    verdict: isMissed ? 'missed' : 'held',
  };
}
