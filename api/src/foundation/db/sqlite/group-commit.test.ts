import { expect, test } from 'vitest';
import { createGroupCommit } from './group-commit.ts';

/** A disk whose syncs end when the test says so. */
function openSlowDisk(onFailure?: (error: unknown) => void) {
  const turns: PromiseWithResolvers<void>[] = [];
  /** After how many syncs the file was closed. */
  const closedAfter: number[] = [];
  const log = createGroupCommit(
    () =>
      Promise.resolve({
        datasync() {
          const turn = Promise.withResolvers<void>();
          turns.push(turn);
          return turn.promise;
        },
        close() {
          closedAfter.push(turns.length);
          return Promise.resolve();
        },
      }),
    onFailure,
  );
  return { log, turns, closedAfter };
}

/** Lets all pending promises settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('writes during a sync share the next sync', async () => {
  const { log, turns } = openSlowDisk();
  const done: string[] = [];

  void log.sync().then(() => done.push('first'));
  await settle();
  void log.sync().then(() => done.push('second'));
  void log.sync().then(() => done.push('third'));
  turns[0]?.resolve();
  await settle();
  expect(done).toEqual(['first']);

  turns[1]?.resolve();
  await settle();
  expect(done).toEqual(['first', 'second', 'third']);
  expect(turns).toHaveLength(2);
});

test('the file is closed after all pending writes are synced', async () => {
  const { log, turns, closedAfter } = openSlowDisk();
  const waits = [log.sync(), log.sync()];
  const closing = log.close();
  await settle();
  turns[0]?.resolve();
  await settle();
  expect(closedAfter).toEqual([]);

  turns[1]?.resolve();
  await Promise.all([...waits, closing]);
  expect(closedAfter).toEqual([2]);
});

test('a running sync can be awaited, and afterwards nothing is pending', async () => {
  const { log, turns } = openSlowDisk();
  expect(log.pending()).toBeUndefined();

  const written = log.sync();
  expect(log.pending()).toBe(written);
  await settle();
  turns[0]?.resolve();
  await written;
  expect(log.pending()).toBeUndefined();
});

test('a sync without a file does nothing', async () => {
  await expect(createGroupCommit(() => Promise.resolve(undefined)).sync()).resolves.toBeUndefined();
});

test('after a failed sync every later sync fails', async () => {
  const heard: unknown[] = [];
  const { log, turns } = openSlowDisk((error) => heard.push(error));
  const failed = log.sync();
  const waiting = log.sync();
  await settle();
  turns[0]?.reject(new Error('EIO'));

  await expect(failed).rejects.toThrow('EIO');
  await expect(waiting).rejects.toThrow('start the server again');
  await expect(log.sync()).rejects.toThrow('start the server again');
  // A read could otherwise show rows that never reached the disk.
  await expect(log.pending()).rejects.toThrow('start the server again');
  expect(heard).toEqual([new Error('EIO')]);
});
