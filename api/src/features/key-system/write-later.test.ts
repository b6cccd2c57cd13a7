import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseUnavailable } from '#api/db/database-unavailable.ts';
import { createWriteLater } from './write-later.ts';

const UNWELL = new DatabaseUnavailable('busy');

let time: number;

// Whoever waits finds that the time has passed. What is imported of Node by name changes only when Node is told to.
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

/** Writes later, and gives when each try was made, and what was given up. */
async function writeUntil(until: number, write: (tries: number[]) => unknown, isStopping = () => false) {
  const tries: number[] = [];
  const warned: unknown[] = [];
  const writeLater = createWriteLater({ now: () => time, isStopping, warn: (error) => void warned.push(error) });

  const attempt = () => {
    tries.push(time);
    return Promise.resolve(tries).then(write);
  };
  await writeLater(attempt, until, UNWELL);
  return { tries, warned };
}

function refuse(error: Error = UNWELL): never {
  throw error;
}

test('a database that stays unwell is tried ever more slowly, and what it never took is heard of', async () => {
  expect(await writeUntil(16_000, () => refuse())).toEqual({
    tries: [250, 750, 1750, 3750, 7750, 11_750, 15_750],
    warned: [UNWELL],
  });
});

test('what waits to be written keeps no server from ending', async () => {
  await writeUntil(60_000, () => 'written');

  expect(timers.setTimeout).toHaveBeenCalledWith(250, undefined, { ref: false });
});

test('at the moment until which it may be written it is given up', async () => {
  expect(await writeUntil(251, () => 'written')).toEqual({ tries: [250], warned: [] });
  expect(await writeUntil(time + 250, () => 'written')).toEqual({ tries: [], warned: [UNWELL] });
});

test('what is written at last is written once, and nobody is warned', async () => {
  expect(await writeUntil(60_000, (tries) => tries.length === 3 || refuse())).toEqual({
    tries: [250, 750, 1750],
    warned: [],
  });
});

test('what another mistake is in the way of is not tried again', async () => {
  const mistake = new Error('no such table');

  expect(await writeUntil(60_000, () => refuse(mistake))).toEqual({ tries: [250], warned: [mistake] });
});

test('a server that stops tries nothing any more, and says what it leaves', async () => {
  expect(
    await writeUntil(
      60_000,
      () => refuse(),
      () => time > 250,
    ),
  ).toEqual({ tries: [250], warned: [UNWELL] });
});
