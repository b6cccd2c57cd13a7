import { setTimeout as wait } from 'node:timers/promises';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { withTimeout } from '#api/foundation/jobs/with-timeout.ts';

/** How long to wait at most before each retry, in milliseconds: the first time, and every time. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4000;

interface RetryQueueDeps {
  now: () => number;
  /** Called for each write that is given up, with its last error. */
  warn: (attemptId: string, error: unknown) => void;
  /** A number from 0 to 1 by chance, which spreads the retries of many writes. */
  random?: () => number;
}

/** A write that failed because the database was unavailable. */
export interface QueuedWrite {
  /** What is written. It is retried once at a time, also when it is added again meanwhile. */
  key: string;
  /** The attempt that the write is about. */
  attemptId: string;
  /** Must be safe to repeat. */
  write: () => Promise<unknown>;
  /** When to give it up, in epoch milliseconds. */
  until: number;
  /** The error of the first try. */
  reason: DatabaseUnavailable;
}

interface LastTry {
  attemptId: string;
  error: unknown;
}

export type RetryQueue = ReturnType<typeof createRetryQueue>;

/** Retries writes that must not be lost: an advertiser confirms a proof only once. */
export function createRetryQueue({ now, warn, random = Math.random }: RetryQueueDeps) {
  const stopping = new AbortController();
  /** The writes that are still retried, by their key. */
  const tries = new Map<string, { last: LastTry; trying: Promise<void> }>();
  let isOver = false;

  /** Waits before a retry. A server that stops makes only short pauses, and cuts a long one short. */
  async function pauseFor(ms: number): Promise<void> {
    const { signal } = stopping;
    if (signal.aborted) await wait(FIRST_PAUSE_MS);
    else await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async function tryAgain({ write, until }: QueuedWrite, last: LastTry): Promise<void> {
    for (
      let pause = FIRST_PAUSE_MS;
      last.error instanceof DatabaseUnavailable || last.error instanceof SignerUnavailable;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    ) {
      await pauseFor(pause * (0.5 + random() / 2));
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

  async function settle(): Promise<void> {
    while (tries.size > 0) await Promise.all([...tries.values()].map(({ trying }) => trying));
  }

  return {
    /** Retries a write in the background while the database is unavailable. */
    add(later: QueuedWrite): void {
      if (isOver) return void warn(later.attemptId, later.reason);
      if (tries.has(later.key)) return;

      const last = { attemptId: later.attemptId, error: later.reason };
      const trying = tryAgain(later, last).finally(() => tries.delete(later.key));
      tries.set(later.key, { last, trying });
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
      await withTimeout(ms, settle(), undefined);
      isOver = true;
      for (const { last } of tries.values()) warn(last.attemptId, last.error);
    },
  };
}
