/** Work that repeats in the background until it is stopped. */
export interface Repetition {
  /** Starts nothing new, and resolves when the current turn has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` now, and again each time a pause has passed since it ended.
 * @param work must not throw; ends early when its signal is aborted
 * @param pauseMs milliseconds
 */
export function repeat(work: (signal: AbortSignal) => Promise<void>, pauseMs: number): Repetition {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();

  function takeTurn(): void {
    turn = work(stopping.signal).then(() => {
      if (!stopping.signal.aborted) timer = setTimeout(takeTurn, pauseMs).unref();
    });
  }
  takeTurn();

  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
      return turn;
    },
  };
}
