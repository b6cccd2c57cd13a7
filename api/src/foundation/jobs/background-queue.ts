import { setTimeout as wait } from 'node:timers/promises';
import { withTimeout } from './with-timeout.ts';

/** How long to wait at most before a retry, in milliseconds: the first time, and every time. */
const BACKOFF_MS = { first: 250, longest: 4000 };

interface Task {
  /** While a task with this key is in the queue, another one is left out. */
  key?: string;
  run: () => Promise<unknown>;
  /** Called when the task has failed for good, with its last error. */
  onFailure: (error: unknown) => void;
  /** For a task that the caller has tried once, and that must be safe to repeat. */
  retry?: Retry;
}

interface Retry {
  /** The error of the first try. */
  error: unknown;
  /** Whether another try may succeed. */
  isTransient: (error: unknown) => boolean;
  /** When to give it up, in epoch milliseconds. */
  until: number;
}

interface QueueDeps {
  now: () => number;
  /** Aborted when the server begins to stop: then all retries come after short pauses. */
  stopping: AbortSignal;
  /** A number from 0 to 1 by chance, which spreads the retries of many tasks. */
  random?: () => number;
}

export type BackgroundQueue = ReturnType<typeof createBackgroundQueue>;

/** Work in memory that no answer waits for. What has to survive a crash stands in an outbox of the database instead. */
export function createBackgroundQueue({ now, stopping, random = Math.random }: QueueDeps) {
  const tasks = new Map<string | symbol, { done: Promise<void>; giveUp: () => void }>();
  let isOver = false;

  async function pauseFor(ms: number): Promise<void> {
    if (stopping.aborted) await wait(BACKOFF_MS.first);
    else await wait(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  }

  async function tryAgain(run: Task['run'], retry: Retry): Promise<void> {
    const { isTransient, until } = retry;
    for (
      let pauseMs = BACKOFF_MS.first;
      isTransient(retry.error);
      pauseMs = Math.min(2 * pauseMs, BACKOFF_MS.longest)
    ) {
      await pauseFor(pauseMs * (0.5 + random() / 2));
      if (isOver || now() >= until) break;
      try {
        await run();
        return;
      } catch (error) {
        retry.error = error;
      }
    }
    throw retry.error;
  }

  async function settle(): Promise<void> {
    while (tasks.size > 0) await Promise.all([...tasks.values()].map(({ done }) => done));
  }

  return {
    add({ key, run, onFailure, retry }: Task): void {
      if (key !== undefined && tasks.has(key)) return;
      if (retry && isOver) return onFailure(retry.error);

      const id = key ?? Symbol('task');
      const last = retry && { ...retry };
      const done = (last ? tryAgain(run, last) : run())
        .then(
          () => undefined,
          (error: unknown) => {
            if (!last || !isOver) onFailure(error);
          },
        )
        .finally(() => tasks.delete(id));
      tasks.set(id, { done, giveUp: () => last && onFailure(last.error) });
    },

    /** Waits at most `ms` until everything is done, also what is added meanwhile. Then it gives up what is left. */
    async drain(ms: number): Promise<void> {
      await withTimeout(ms, settle(), undefined);
      isOver = true;
      for (const { giveUp } of tasks.values()) giveUp();
    },
  };
}
