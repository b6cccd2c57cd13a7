import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { createRetryQueue } from './retry-queue.ts';

const BUSY = new DatabaseUnavailable('busy');

let time: number;

// Each pause ends at once and moves the clock. Without the sync, modules that import `setTimeout` by name would not see
// the mock.
beforeEach(() => {
  time = 0;
  vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0) => {
    time += ms;
    return Promise.resolve<never>(undefined as never);
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/**
 * Adds a write.
 * @returns the time of each try, and of giving it up
 */
async function writeUntil(
  until: number,
  write: (tries: number[]) => unknown,
  { share = 1, isStopping = false }: { share?: number; isStopping?: boolean } = {},
) {
  const tries: number[] = [];
  const warned: unknown[] = [];
  const done = vi.fn();
  const later = createRetryQueue({
    now: () => time,
    random: () => share,
    warn: (_attemptId, error) => {
      warned.push(error);
      done();
    },
  });

  if (isStopping) later.hurry();
  later.add({
    key: 'postback',
    attemptId: 'attempt',
    until,
    reason: BUSY,
    write: async () => {
      tries.push(time);
      await Promise.resolve(tries).then(write);
      done();
    },
  });
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  return { tries, warned };
}

function refuse(): never {
  throw BUSY;
}

test('an unavailable database is tried again after ever longer pauses, and the write is given up with a warning', async () => {
  expect(await writeUntil(16_000, refuse)).toEqual({
    tries: [250, 750, 1750, 3750, 7750, 11_750, 15_750],
    warned: [BUSY],
  });
});

test('a pause is shorter by chance, down to half, so that many writes do not come at once', async () => {
  expect(await writeUntil(4000, refuse, { share: 0 })).toMatchObject({ tries: [125, 375, 875, 1875, 3875] });
});

test('a server that stops tries again after short pauses, and not without any', async () => {
  expect(await writeUntil(1001, refuse, { isStopping: true })).toEqual({
    tries: [250, 500, 750, 1000],
    warned: [BUSY],
  });
  expect(vi.mocked(timers.setTimeout).mock.calls).toEqual(Array(5).fill([250]));
});

test('a pause does not keep the process alive', async () => {
  await writeUntil(60_000, () => 'written');

  expect(timers.setTimeout).toHaveBeenCalledWith(250, undefined, expect.objectContaining({ ref: false }));
});

test('a write is given up at the moment until which it may be made', async () => {
  expect(await writeUntil(251, () => 'written')).toEqual({ tries: [250], warned: [] });
  expect(await writeUntil(time + 250, () => 'written')).toEqual({ tries: [], warned: [BUSY] });
});

test('a write that succeeds is made once, without a warning', async () => {
  expect(await writeUntil(60_000, (tries) => tries.length === 3 || refuse())).toEqual({
    tries: [250, 750, 1750],
    warned: [],
  });
});
