const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** How long a visitor has to come back from an advertiser. */
export const TICKET_LIFETIME_MS = 15 * MINUTE;

/** A run ends when nothing happens on it for this long, */
export const RUN_IDLE_MS = HOUR;
/** and in any case after this long. */
export const RUN_LIFETIME_MS = 6 * HOUR;

export const LIVE_ATTEMPTS_PER_STEP = 3;
export const ATTEMPTS_PER_HOUR = 10;

/** A device may begin its next run when its key has no more than this left. */
export const RENEWAL_WINDOW_MS = 2 * HOUR;

/** When a run that something has just happened on comes to its end. */
export function runExpiry(createdAt: number, at: number): number {
  return Math.min(at + RUN_IDLE_MS, createdAt + RUN_LIFETIME_MS);
}
