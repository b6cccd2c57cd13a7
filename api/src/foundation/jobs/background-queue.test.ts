import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createBackgroundQueue } from './background-queue.ts';

const BUSY_ERROR = new Error('busy');
const PERMANENT_ERROR = new Error('bug');
const LONG_MS = 60_000;

/** The queue of a server, and what it has given up. */
function openQueue({ now = (): number => 1, random = (): number => 1 } = {}) {
  const stopping = new AbortController();
  const queue = createBackgroundQueue({ now, stopping: stopping.signal, random });
  const failed: unknown[] = [];
  const onFailure = (error: unknown) => void failed.push(error);
  return {
    stop: () => stopping.abort(),
    drain: (ms = LONG_MS) => queue.drain(ms),
    failed,
    add: (run: () => Promise<unknown>, key?: string) => queue.add({ run, onFailure, ...(key && { key }) }),
    retry: (run: () => Promise<unknown>, { key = 'key', until = 2 } = {}) =>
      queue.add({
        key,
        run,
        onFailure,
        retry: { error: BUSY_ERROR, isTransient: (error) => error === BUSY_ERROR, until },
      }),
  };
}

describe('a task', () => {
  test('runs at once, and its failure is reported', async () => {
    const { add, drain, failed } = openQueue();
    const run = vi.fn(() => Promise.reject(PERMANENT_ERROR));

    add(run);
    expect(run).toHaveBeenCalledOnce();
    await drain();

    expect(failed).toEqual([PERMANENT_ERROR]);
  });

  test('is skipped while one with its key is queued, and not afterwards', async () => {
    const { add, drain } = openQueue();
    const run = vi.fn(() => Promise.resolve());

    add(run, 'one');
    add(run, 'one');
    add(run, 'other');
    expect(run).toHaveBeenCalledTimes(2);
    await drain();
    add(run, 'one');

    expect(run).toHaveBeenCalledTimes(3);
  });
});

describe('a stopping server', () => {
  test('waits for queued tasks, and for those added meanwhile', async () => {
    const { retry, stop, drain, failed } = openQueue();
    const added = vi.fn(() => Promise.resolve());
    const write = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(BUSY_ERROR)
      .mockImplementationOnce(() => Promise.resolve(retry(added, { key: 'another' })));
    retry(write);

    stop();
    await drain();

    expect([write.mock.calls.length, added.mock.calls.length]).toEqual([2, 1]);
    expect(failed).toEqual([]);
  });

  test('drops unfinished tasks at the timeout: each is reported once with the reason, and not retried', async () => {
    const { retry, stop, drain, failed } = openQueue();
    let fail: (error: unknown) => void = () => undefined;
    const write = vi.fn(() => new Promise((_resolve, reject) => (fail = reject)));
    retry(write);

    stop();
    await drain(1);
    expect(failed).toEqual([BUSY_ERROR]);

    fail(BUSY_ERROR);
    await drain();
    expect(write).toHaveBeenCalledTimes(1);
    expect(failed).toHaveLength(1);

    retry(write, { key: 'too late' });
    expect(failed).toEqual([BUSY_ERROR, BUSY_ERROR]);
  });

  test('does not retry a task with a permanent error', async () => {
    const { retry, stop, drain, failed } = openQueue();
    const write = vi.fn(() => Promise.reject(PERMANENT_ERROR));
    retry(write);

    stop();
    await drain();

    expect(write).toHaveBeenCalledTimes(1);
    expect(failed).toEqual([PERMANENT_ERROR]);
  });
});

describe('the retry delays', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  /**
   * Retries a task whose pauses end at once and move the clock.
   * @returns the time of each try, and of giving it up
   */
  async function tryUntil(until: number, run: (tries: number[]) => unknown, { share = 1, isStopping = false } = {}) {
    let time = 0;
    vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0) => {
      time += ms;
      return Promise.resolve<never>(undefined as never);
    });
    // Without it, modules that import `setTimeout` by name would not see the mock.
    syncBuiltinESMExports();
    const tries: number[] = [];
    const { retry, stop, drain, failed } = openQueue({ now: () => time, random: () => share });
    if (isStopping) stop();
    const tried = async () => {
      tries.push(time);
      await Promise.resolve(tries).then(run);
    };
    retry(tried, { until });
    await drain();
    return { tries, failed };
  }

  const refuse = () => Promise.reject(BUSY_ERROR);

  test.each([
    ['become longer', 16_000, {}, [250, 750, 1750, 3750, 7750, 11_750, 15_750]],
    [
      'are shorter by chance, down to half, so that many tasks do not come at once',
      4000,
      { share: 0 },
      [125, 375, 875, 1875, 3875],
    ],
    ['of a server that stops are short', 1001, { isStopping: true }, [250, 500, 750, 1000]],
    ['end at the moment until which a task may be done', 250, {}, []],
  ])('%s', async (_how, until, options, tries) => {
    expect(await tryUntil(until, refuse, options)).toEqual({ tries, failed: [BUSY_ERROR] });
  });

  test('end with the first success, and do not keep the process running', async () => {
    const succeedThird = (tries: number[]) => (tries.length === 3 ? 'written' : refuse());

    expect(await tryUntil(60_000, succeedThird)).toEqual({ tries: [250, 750, 1750], failed: [] });
    expect(timers.setTimeout).toHaveBeenCalledWith(250, undefined, expect.objectContaining({ ref: false }));
  });
});
