import { AsyncResource } from 'node:async_hooks';
import type { Logger } from 'pino';
import { withTimeout } from './with-timeout.ts';

/** How long a job that is stopped may take to end its turn, in milliseconds. */
const STOP_TIMEOUT_MS = 3000;

/** Work that repeats in the background until it is disposed, which starts nothing new and waits for the current turn. */
export interface PeriodicJob extends AsyncDisposable {
  /** Takes the next turn now, or as soon as the current one has ended. */
  trigger(): void;
}

/**
 * Runs `work` now, and again each time an interval has passed since it ended. A turn belongs to no request, also when one
 * has triggered it.
 * @param work must not throw; ends early when its signal is aborted
 */
export function startPeriodic(work: (signal: AbortSignal) => Promise<void>, intervalMs: number): PeriodicJob {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  let isTriggered = false;

  const takeTurn = AsyncResource.bind(() => {
    timer = undefined;
    isTriggered = false;
    turn = work(stopping.signal).then(() => {
      if (stopping.signal.aborted) return;
      if (isTriggered) takeTurn();
      else timer = setTimeout(takeTurn, intervalMs).unref();
    });
  });
  takeTurn();

  return {
    trigger() {
      isTriggered = true;
      if (timer === undefined) return;

      clearTimeout(timer);
      takeTurn();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      timer = undefined;
      await withTimeout(STOP_TIMEOUT_MS, turn, undefined);
    },
  };
}

/**
 * Makes a function that does work again and again, whose failures are expected to end by themselves. Of several in a row
 * it logs the first one, and the success after them. It never throws.
 */
export function createOutageLog(log: Logger, said: { away: string; back: string }) {
  let isAway = false;

  return async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (isAway) log.info(said.back);
      isAway = false;
    } catch (err) {
      if (!isAway) log.warn({ err }, said.away);
      isAway = true;
    }
  };
}
