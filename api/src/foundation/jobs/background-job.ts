import { AsyncResource } from 'node:async_hooks';
import type { Logger } from 'pino';

/** Work that repeats in the background until it is stopped. */
export interface Repetition {
  /** Takes the next turn now, or as soon as the current one has ended. */
  hurry(): void;
  /** Starts nothing new, and resolves when the current turn has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` now, and again each time a pause has passed since it ended. A turn belongs to no request, also when one has
 * hurried it.
 * @param work must not throw; ends early when its signal is aborted
 * @param pauseMs milliseconds
 */
export function repeat(work: (signal: AbortSignal) => Promise<void>, pauseMs: number): Repetition {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  let isInHurry = false;

  const takeTurn = AsyncResource.bind(() => {
    timer = undefined;
    isInHurry = false;
    turn = work(stopping.signal).then(() => {
      if (stopping.signal.aborted) return;
      if (isInHurry) takeTurn();
      else timer = setTimeout(takeTurn, pauseMs).unref();
    });
  });
  takeTurn();

  return {
    hurry() {
      isInHurry = true;
      if (timer === undefined) return;

      clearTimeout(timer);
      takeTurn();
    },
    stop() {
      stopping.abort();
      clearTimeout(timer);
      timer = undefined;
      return turn;
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
