import { expect, test, vi } from 'vitest';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { createRetryQueue, type QueuedWrite } from './retry-queue.ts';

const BUSY = new DatabaseUnavailable('busy');
const LONG_MS = 60_000;

/** The retry queue of a server, and the warnings about writes that were given up. */
function createServer() {
  const told: [attemptId: string, error: unknown][] = [];
  const later = createRetryQueue({ now: () => 1, warn: (...words) => told.push(words) });
  const add = (write: QueuedWrite['write'], attemptId = 'attempt') =>
    later.add({ key: attemptId, attemptId, write, until: 2, reason: BUSY });
  return { later, add, told };
}

test('a server that stops with nothing to write waits for nothing', async () => {
  const { later, told } = createServer();

  later.hurry();
  await later.finish(LONG_MS);

  expect(told).toEqual([]);
});

test('a server that stops tries what waits until it is written, and what is added meanwhile', async () => {
  const { later, add, told } = createServer();
  const added = vi.fn(() => Promise.resolve());
  const write = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(BUSY)
    .mockImplementationOnce(() => {
      add(added, 'another');
      return Promise.resolve();
    });
  add(write);

  later.hurry();
  await later.finish(LONG_MS);

  expect([write.mock.calls.length, added.mock.calls.length]).toEqual([2, 1]);
  expect(told).toEqual([]);
});

test('what is not written when the time is over is told once, with why, and is not tried again', async () => {
  const { later, add, told } = createServer();
  let fail: (error: unknown) => void = () => undefined;
  const write = vi.fn(() => new Promise((_resolve, reject) => (fail = reject)));
  add(write);

  later.hurry();
  await later.finish(1);
  expect(told).toEqual([['attempt', BUSY]]);

  fail(BUSY);
  await later.finish(LONG_MS);
  expect(write).toHaveBeenCalledTimes(1);
  expect(told).toHaveLength(1);
});

test('what comes after that is told at once', async () => {
  const { later, add, told } = createServer();
  await later.finish(LONG_MS);

  add(() => Promise.resolve());

  expect(told).toEqual([['attempt', BUSY]]);
});

test('what is added again while it is retried is written once', async () => {
  const { later, add, told } = createServer();
  const write = vi.fn(() => Promise.resolve());
  add(write);
  add(write);
  add(write, 'another');

  later.hurry();
  await later.finish(LONG_MS);

  expect(write).toHaveBeenCalledTimes(2);
  expect(told).toEqual([]);
});

test('what was written can be added again', async () => {
  const write = vi.fn(() => Promise.resolve());
  const { later, add } = createServer();
  later.hurry();
  add(write);
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));

  add(write);
  await later.finish(LONG_MS);

  expect(write).toHaveBeenCalledTimes(2);
});

test('what the signer cannot sign when the database is back is tried again', async () => {
  const { later, add, told } = createServer();
  const write = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new SignerUnavailable('no answer'));
  add(write);

  later.hurry();
  await later.finish(LONG_MS);

  expect(write).toHaveBeenCalledTimes(2);
  expect(told).toEqual([]);
});

test('what fails for another reason than the database is told, and not tried again', async () => {
  const { later, add, told } = createServer();
  const bug = new Error('bug');
  const write = vi.fn(() => Promise.reject(bug));
  add(write);

  later.hurry();
  await later.finish(LONG_MS);

  expect(write).toHaveBeenCalledTimes(1);
  expect(told).toEqual([['attempt', bug]]);
});
