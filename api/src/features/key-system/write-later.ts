import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';

/** How long to wait before each new try, milliseconds: the first time, and at most. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

interface WriteLaterDeps {
  now: () => number;
  isStopping: () => boolean;
  /** Hears what was given up, and why. */
  warn: (error: unknown) => void;
}

export type WriteLater = ReturnType<typeof createWriteLater>;

/** For what would be lost if it were not written: the word of an advertiser, who gives it once. */
export function createWriteLater({ now, isStopping, warn }: WriteLaterDeps) {
  /**
   * Tries again, and again, in the background, what an unwell database did not let through; never throws.
   * @param write may find that it was done already
   * @param until when to give it up, milliseconds since 1970
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
