import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';

/** How long to wait before each new try, milliseconds: the first time, and at most. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

interface LaterWritesDeps {
  now: () => number;
  /** Hears of which attempt something was given up, and why. */
  warn: (attemptId: string, error: unknown) => void;
}

/** What an unwell database did not let through. */
export interface LaterWrite {
  /** The attempt that it is about. */
  attemptId: string;
  /** It may find that it was done already. */
  write: () => Promise<unknown>;
  /** When to give it up, milliseconds since 1970. */
  until: number;
  /** What it failed with last. */
  reason: DatabaseUnavailable;
}

export type LaterWrites = ReturnType<typeof createLaterWrites>;

/** For what would be lost if it were not written: the word of an advertiser, who gives it once. */
export function createLaterWrites({ now, warn }: LaterWritesDeps) {
  const stopping = new AbortController();
  /** What is still tried, with what it failed with last. */
  const tries = new Map<Promise<void>, { attemptId: string; error: unknown }>();
  let isOver = false;

  /** A server that stops has no time for long pauses, and does not wait for the end of one. */
  async function pauseFor(ms: number): Promise<void> {
    const { signal } = stopping;
    if (signal.aborted) await wait(FIRST_PAUSE_MS);
    else await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async function tryAgain({ write, until }: LaterWrite, last: { attemptId: string; error: unknown }): Promise<void> {
    for (
      let pause = FIRST_PAUSE_MS;
      last.error instanceof DatabaseUnavailable;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    ) {
      await pauseFor(pause);
      if (isOver || now() >= until) break;
      try {
        await write();
        return;
      } catch (error) {
        last.error = error;
      }
    }
    if (!isOver) warn(last.attemptId, last.error);
  }

  return {
    /** Tries it again, and again, in the background. */
    add(later: LaterWrite): void {
      if (isOver) return void warn(later.attemptId, later.reason);

      const last = { attemptId: later.attemptId, error: later.reason };
      const trying = tryAgain(later, last).finally(() => tries.delete(trying));
      tries.set(trying, last);
    },

    /** The server begins to stop: what waits is tried at once, and more often. */
    hurry(): void {
      stopping.abort();
    },

    /**
     * Waits until everything is written, also what is added meanwhile. What is not by then is given up, and told.
     * @param ms how long at most, milliseconds
     */
    async finish(ms: number): Promise<void> {
      const isLate = wait(ms, true, { ref: false });
      while (tries.size > 0) if ((await Promise.race([Promise.all(tries.keys()), isLate])) === true) break;

      isOver = true;
      for (const { attemptId, error } of tries.values()) warn(attemptId, error);
    },
  };
}
