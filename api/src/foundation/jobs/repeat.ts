import { AsyncResource } from 'node:async_hooks';

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
