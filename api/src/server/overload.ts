import type { Logger } from 'pino';
import type { ServerLoad } from '#api/foundation/http/shed-load.ts';
import type { PoolLoad } from '#api/foundation/telemetry/pool-metrics.ts';

const CHECK_INTERVAL_MS = 100;

/** From here on the server is overloaded: in so many looks in a row either of the two was as high. */
const OVERLOAD_THRESHOLD: Load = { lateMs: 200, queue: 0.5 };
const CHECKS_TO_OVERLOAD = 5;

/**
 * A look that is very late counts for more than one, because few come: for one more with each half second, and for no more
 * than three. A single collection of garbage must not be enough.
 */
const VERY_LATE_MS = 500;
const MAX_CHECKS_AT_ONCE = 3;

/** And up to here it no longer is: in so many looks in a row both were as low. Between the two nothing changes. */
const RECOVERY_THRESHOLD: Load = { lateMs: 50, queue: 0.1 };
const CHECKS_TO_RECOVER = 5;

export interface Load {
  /** How late the event loop was, in milliseconds: what each request waits before anything is done for it. */
  lateMs: number;
  /** How full the queue for a connection to the database is, from 0 to 1. */
  queue: number;
}

export type Overload = ReturnType<typeof createOverload>;

/**
 * Judges whether a server is overloaded: after five looks, or after two that are very late. It recovers after half a quiet
 * second. A crowd that comes back all the time leaves no longer one, and would keep the server from beginning runs that it
 * could finish.
 */
export function createOverload(onChange: (isOverloaded: boolean, load: Load) => void) {
  let isOverloaded = false;
  /** How many looks in a row speak for a change. */
  let looks = 0;

  return {
    isOverloaded: () => isOverloaded,

    note(load: Load): void {
      const speaks = isOverloaded
        ? load.lateMs <= RECOVERY_THRESHOLD.lateMs && load.queue <= RECOVERY_THRESHOLD.queue
        : load.lateMs >= OVERLOAD_THRESHOLD.lateMs || load.queue >= OVERLOAD_THRESHOLD.queue;
      const countsFor = isOverloaded ? 1 : 1 + Math.floor(load.lateMs / VERY_LATE_MS);
      looks = speaks ? looks + Math.min(countsFor, MAX_CHECKS_AT_ONCE) : 0;
      if (looks < (isOverloaded ? CHECKS_TO_RECOVER : CHECKS_TO_OVERLOAD)) return;

      isOverloaded = !isOverloaded;
      looks = 0;
      onChange(isOverloaded, load);
    },
  };
}

/** Looks at the load again and again. `readQueue`: how full the queue for the database is, from 0 to 1. */
export function watchLoad(overload: Pick<Overload, 'note'>, readQueue: () => number): { stop: () => void } {
  let dueAt = performance.now() + CHECK_INTERVAL_MS;
  const timer = setInterval(() => {
    const at = performance.now();
    overload.note({ lateMs: Math.max(0, at - dueAt), queue: readQueue() });
    dueAt = at + CHECK_INTERVAL_MS;
  }, CHECK_INTERVAL_MS).unref();

  return { stop: () => clearInterval(timer) };
}

/** Watches the load as long as the process lives, and logs each change. Without a pool there is no queue. */
export function watchOverload(log: Logger, readPool: (() => PoolLoad) | undefined): ServerLoad {
  const overload = createOverload((isOverloaded, load) =>
    log.warn(load, isOverloaded ? 'overloaded: no new runs' : 'no longer overloaded'),
  );
  const readQueue = () => {
    const pool = readPool?.();
    return pool ? pool.waiting / pool.maxWaiting : 0;
  };
  watchLoad(overload, readQueue);
  const isCrowded = () => readQueue() >= OVERLOAD_THRESHOLD.queue;
  // All who come back at the same moment would fill the queue before the next look.
  return { isOverloaded: () => overload.isOverloaded() || isCrowded(), isCrowded };
}
