const DAY_MS = 24 * 60 * 60 * 1000;

/** For how long a reset counts, in milliseconds. */
export const RESET_WINDOW_MS = 30 * DAY_MS;

export interface ResetLimits {
  /** The pause between two resets, in milliseconds. */
  resetPauseMs: number;
  /** How many resets are allowed in 30 days. */
  resetsIn30Days: number;
}

/**
 * When the devices of an address may be reset next.
 * @param done when they were reset in the last 30 days
 * @returns null when they may be reset at once
 */
export function nextReset(
  done: readonly number[],
  { resetPauseMs, resetsIn30Days }: ResetLimits,
  at: number,
): number | null {
  const newestFirst = [...done].sort((one, other) => other - one);
  const [last] = newestFirst;
  const oldestThatCounts = newestFirst[resetsIn30Days - 1];

  const next = Math.max(
    last === undefined ? 0 : last + resetPauseMs,
    oldestThatCounts === undefined ? 0 : oldestThatCounts + RESET_WINDOW_MS,
  );
  return next > at ? next : null;
}
