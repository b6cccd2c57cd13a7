import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';

export interface SyncedFile {
  datasync: () => Promise<void>;
  close: () => Promise<void>;
}

export interface GroupCommit {
  /** Resolves when everything that was written up to now is on the disk. */
  sync: () => Promise<void>;
  /** What others wait for; undefined when nothing is on its way. After a failure it always rejects. */
  pending: () => Promise<void> | undefined;
  /** Closes the file, once nothing waits for it. */
  close: () => Promise<void>;
}

/**
 * Makes one sync of the file serve all callers that wait for it. A caller that comes during a sync waits for the next
 * one. After the first failure every call fails: the system may then report data as written that never was.
 * @param open undefined while there is no file, and so nothing was written
 * @param onFailure called before any caller learns of it
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
    async close() {
      // What waits is synced first: with a closed file it would count as a failure of the disk.
      await (next ?? running)?.catch(() => undefined);
      await file?.close();
    },
  };
}
