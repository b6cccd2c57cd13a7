/** Something that goes on in the background until it is told to stop. */
export interface Repetition {
  /** Lets what has begun come to an end, and nothing begin again. */
  stop(): Promise<void>;
}

/**
 * Does something now, and again each time a pause has passed since it ended.
 * @param pauseMs milliseconds
 * @param work never throws; ends early when its signal is aborted
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
