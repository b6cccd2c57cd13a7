import { median } from '../measure/median.ts';
import type { Row } from '../measure/table.ts';

/** A call with its speed now and before, for each round. */
export interface Comparison {
  database: string;
  call: string;
  /** Calls per second now, divided by calls per second before. */
  ratios: readonly number[];
}

/** The lowest allowed ratio. Rates vary by a tenth without any reason. */
const BAR = 0.9;
/** The higher bars of calls that had to become faster. */
const BARS: Record<string, number> = { state: 1.3 };

/** A call misses its bar when it does in this many rounds. A single slow round may be the machine's fault. */
const MISSES = 2;

/** Makes a row of the table: the ratios of all rounds, their median, and whether the call reached its bar. */
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
