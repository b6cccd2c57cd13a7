import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { currentRequestId, forRequest } from '#api/foundation/telemetry/log.ts';
import { createOutageLog, startPeriodic } from './periodic-job.ts';

beforeEach(() => void vi.useFakeTimers());

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

test('a started job runs at once, and again an interval after its end', async () => {
  const { work, finish } = createWork();
  const job = startPeriodic(work, 1000);
  expect(work).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);

  await finish();
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  void job[Symbol.asyncDispose]();
});

test('a job stopped between two runs does not run again', async () => {
  const { work, finish } = createWork();
  const job = startPeriodic(work, 1000);
  await finish();

  await job[Symbol.asyncDispose]();

  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('a job stopped during a run aborts it, waits for its end and does not run again', async () => {
  const { work, finish } = createWork();
  const job = startPeriodic(work, 1000);
  let isStopped = false;

  const stopped = job[Symbol.asyncDispose]().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(2000);
  expect(isStopped).toBe(false);
  expect(work.mock.calls[0]?.[0].aborted).toBe(true);

  await finish();
  await stopped;
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('a triggered job does not wait for the end of the interval', async () => {
  const { work, finish } = createWork();
  const job = startPeriodic(work, 1000);
  await finish();

  job.trigger();
  expect(work).toHaveBeenCalledTimes(2);

  await finish();
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(3);
  void job[Symbol.asyncDispose]();
});

test('a job triggered during a run runs once more right after it', async () => {
  const { work, finish } = createWork();
  const job = startPeriodic(work, 1000);

  job.trigger();
  job.trigger();
  expect(work).toHaveBeenCalledTimes(1);
  await finish();
  expect(work).toHaveBeenCalledTimes(2);
  await finish();
  expect(work).toHaveBeenCalledTimes(2);
  void job[Symbol.asyncDispose]();
});

test('a stop waits at most three seconds for a run that does not end', async () => {
  const { work } = createWork();
  const job = startPeriodic(work, 1000);
  let isStopped = false;

  void job[Symbol.asyncDispose]().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(2999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isStopped).toBe(true);
});

test('a stopped job cannot be triggered', async () => {
  const { work, finish } = createWork();
  const job = startPeriodic(work, 1000);
  await finish();
  await job[Symbol.asyncDispose]();

  job.trigger();

  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('a run triggered by a request has no request id, and neither have later ones', async () => {
  const seen: (string | undefined)[] = [];
  const job = startPeriodic(() => Promise.resolve(void seen.push(currentRequestId())), 1000);
  await vi.advanceTimersByTimeAsync(0);

  forRequest('0123456789abcdef0123456789abcdef', () => job.trigger());
  await vi.advanceTimersByTimeAsync(1000);

  expect(seen).toEqual([undefined, undefined, undefined]);
  void job[Symbol.asyncDispose]();
});

test('of consecutive failures the first is logged with its error, and so is the next success', async () => {
  const lines: { level: number; msg: string; err?: { message: string } }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const attempt = createOutageLog(log, { away: 'it is away', back: 'it is back' });
  const succeed = () => attempt(() => Promise.resolve());
  const fail = (why: string) => attempt(() => Promise.reject(new Error(why)));

  await succeed();
  for (const why of ['first', 'second', 'third']) await fail(why);
  await succeed();
  await succeed();
  await fail('again');

  expect(lines.map(({ level, msg, err }) => [level, msg, err?.message])).toEqual([
    [40, 'it is away', 'first'],
    [30, 'it is back', undefined],
    [40, 'it is away', 'again'],
  ]);
});
