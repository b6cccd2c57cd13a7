import { setTimeout as wait } from 'node:timers/promises';
import { SignerUnavailable } from '#api/crypto/signer.ts';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';

/** How long to wait before each retry, in milliseconds: the first time, and at most. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

interface LaterWritesDeps {
  now: () => number;
  /** Called for each write that is given up, with its last error. */
  warn: (attemptId: string, error: unknown) => void;
}

/** A write that failed because the database was unavailable. */
export interface LaterWrite {
  /** The attempt that the write is about. */
  attemptId: string;
  /** Must be safe to repeat. */
  write: () => Promise<unknown>;
  /** When to give it up, in epoch milliseconds. */
  until: number;
  /** The error of the first try. */
  reason: DatabaseUnavailable;
}

export type LaterWrites = ReturnType<typeof createLaterWrites>;

/** Retries writes that must not be lost: an advertiser confirms a proof only once. */
export function createLaterWrites({ now, warn }: LaterWritesDeps) {
  const stopping = new AbortController();
  /** The writes that are still retried, each with its last error. */
  const tries = new Map<Promise<void>, { attemptId: string; error: unknown }>();
  let isOver = false;

  /** Waits before a retry. A server that stops makes only short pauses, and cuts a long one short. */
  async function pauseFor(ms: number): Promise<void> {
    const { signal } = stopping;
    if (signal.aborted) await wait(FIRST_PAUSE_MS);
    else await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async function tryAgain({ write, until }: LaterWrite, last: { attemptId: string; error: unknown }): Promise<void> {
    for (
      let pause = FIRST_PAUSE_MS;
      last.error instanceof DatabaseUnavailable || last.error instanceof SignerUnavailable;
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
    /** Retries a write in the background while the database is unavailable. */
    add(later: LaterWrite): void {
      if (isOver) return void warn(later.attemptId, later.reason);

      const last = { attemptId: later.attemptId, error: later.reason };
      const trying = tryAgain(later, last).finally(() => tries.delete(trying));
      tries.set(trying, last);
    },

    /** For a server that stops: retries what waits at once, and then with short pauses. */
    hurry(): void {
      stopping.abort();
    },

    /**
     * Waits until everything is written, also what is added meanwhile. Then it gives up what is left.
     * @param ms how long to wait at most, in milliseconds
     */
    async finish(ms: number): Promise<void> {
      const isLate = wait(ms, true, { ref: false });
      while (tries.size > 0) if ((await Promise.race([Promise.all(tries.keys()), isLate])) === true) break;

      isOver = true;
      for (const { attemptId, error } of tries.values()) warn(attemptId, error);
    },
  };
}
