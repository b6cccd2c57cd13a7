import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';

/** How long to wait before each retry, in milliseconds: the first time, and at most. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

interface WriteLaterDeps {
  now: () => number;
  isStopping: () => boolean;
  /** Called with the last error when a write is given up. */
  warn: (error: unknown) => void;
}

export type WriteLater = ReturnType<typeof createWriteLater>;

/** Retries a write that must not be lost: an advertiser confirms a proof only once. */
export function createWriteLater({ now, isStopping, warn }: WriteLaterDeps) {
  /**
   * Retries a write in the background while the database is unavailable. Never throws.
   * @param write must be safe to repeat
   * @param until when to give it up, in epoch milliseconds
   * @param reason the error of the first try
   */
  return async function writeLater(
    write: () => Promise<unknown>,
    until: number,
    reason: DatabaseUnavailable,
  ): Promise<void> {
    let last: unknown = reason;
    for (
      let pause = FIRST_PAUSE_MS;
      last instanceof DatabaseUnavailable;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    ) {
      await wait(pause, undefined, { ref: false });
      if (isStopping() || now() >= until) break;
      try {
        await write();
        return;
      } catch (error) {
        last = error;
      }
    }
    warn(last);
  };
}
