import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentRequestId, forRequest } from '#api/foundation/telemetry/log.ts';
import { repeat } from './background-job.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when the test says so. */
function createWork() {
  const ends: (() => void)[] = [];
  const work = vi.fn<(signal: AbortSignal) => Promise<void>>(() => new Promise((end) => ends.push(end)));
  const finish = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { work, finish };
}

test('it works at once, and again a pause after it ended', async () => {
  const { work, finish } = createWork();
  const repetition = repeat(work, 1000);
  expect(work).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);

  await finish();
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  void repetition.stop();
});

test('stopped between two turns, it takes no other', async () => {
  const { work, finish } = createWork();
  const repetition = repeat(work, 1000);
  await finish();

  await repetition.stop();

  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('stopped during a turn, it tells the work, waits for its end and takes no other', async () => {
  const { work, finish } = createWork();
  const repetition = repeat(work, 1000);
  let isStopped = false;

  const stopped = repetition.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(5000);
  expect(isStopped).toBe(false);
  expect(work.mock.calls[0]?.[0].aborted).toBe(true);

  await finish();
  await stopped;
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('in a hurry it does not wait for the end of the pause', async () => {
  const { work, finish } = createWork();
  const repetition = repeat(work, 1000);
  await finish();

  repetition.hurry();
  expect(work).toHaveBeenCalledTimes(2);

  await finish();
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(3);
  void repetition.stop();
});

test('in a hurry during a turn it takes one more right after it', async () => {
  const { work, finish } = createWork();
  const repetition = repeat(work, 1000);

  repetition.hurry();
  repetition.hurry();
  expect(work).toHaveBeenCalledTimes(1);
  await finish();
  expect(work).toHaveBeenCalledTimes(2);
  await finish();
  expect(work).toHaveBeenCalledTimes(2);
  void repetition.stop();
});

test('stopped, it is in no hurry', async () => {
  const { work, finish } = createWork();
  const repetition = repeat(work, 1000);
  await finish();
  await repetition.stop();

  repetition.hurry();

  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('a turn that a request has hurried belongs to no request, and neither do those after it', async () => {
  const seen: (string | undefined)[] = [];
  const repetition = repeat(() => Promise.resolve(void seen.push(currentRequestId())), 1000);
  await vi.advanceTimersByTimeAsync(0);

  forRequest('0123456789abcdef0123456789abcdef', () => repetition.hurry());
  await vi.advanceTimersByTimeAsync(1000);

  expect(seen).toEqual([undefined, undefined, undefined]);
  void repetition.stop();
});
