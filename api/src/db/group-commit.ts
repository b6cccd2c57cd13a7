import { DatabaseUnavailable } from './database-unavailable.ts';

/** What is to be put on the disk. */
export interface SyncedFile {
  datasync: () => Promise<void>;
  close: () => Promise<void>;
}

/** Tells when what was written to a file is on the disk. */
export interface GroupCommit {
  /** When all that has been written up to now is there. */
  sync: () => Promise<void>;
  /** When all that others are waiting for is there; undefined when nothing is on its way. After a failure it never is. */
  pending: () => Promise<void> | undefined;
  close: () => Promise<void>;
}

/**
 * One turn of the disk serves all who wait for it; whoever has written while it was at work waits for the next.
 * After a failure nothing is taken for written any more: the system may say so of what never was.
 * @param open opens the file; undefined as long as there is none, and so nothing written
 * @param onFailure hears of the first failure before anybody else does
 */
export function createGroupCommit(
  open: () => Promise<SyncedFile | undefined>,
  onFailure: (error: unknown) => void = () => undefined,
): GroupCommit {
  let file: SyncedFile | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let isBroken = false;

  async function work(): Promise<void> {
    if (isBroken) throw new DatabaseUnavailable('The disk has failed before; start the server again.');
    try {
      file ??= await open();
      await file?.datasync();
    } catch (error) {
      isBroken = true;
      onFailure(error);
      throw new DatabaseUnavailable(`The log of the database did not reach the disk: ${String(error)}`, {
        cause: error,
      });
    }
  }

  function start(): Promise<void> {
    next = undefined;
    const own = work().finally(() => {
      if (running === own) running = undefined;
    });
    running = own;
    return own;
  }

  return {
    sync() {
      if (!running) return start();
      next ??= running.then(start, start);
      return next;
    },
    pending: () => next ?? running ?? (isBroken ? work() : undefined),
    close: () => file?.close() ?? Promise.resolve(),
  };
}
