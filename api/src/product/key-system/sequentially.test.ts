import { expect, test } from 'vitest';
import { sequentially } from './sweep-runs.ts';

/** Tries some items, of which those named fail; returns what was tried, and what came of it. */
async function tryAll(items: readonly string[], failing: readonly string[]) {
  const tried: string[] = [];
  const outcome = await sequentially(items, async (item) => {
    await Promise.resolve();
    tried.push(item);
    if (failing.includes(item)) throw new Error(item);
  }).catch((error: unknown) => error);
  return { tried, outcome };
}

test('one that fails does not keep the others waiting, and its failure is told', async () => {
  expect(await tryAll(['a', 'b', 'c'], ['a'])).toEqual({ tried: ['a', 'b', 'c'], outcome: new Error('a') });
  expect(await tryAll(['a', 'b'], [])).toEqual({ tried: ['a', 'b'], outcome: undefined });
});

test('after three failures the others are left for another time', async () => {
  expect(await tryAll(['a', 'b', 'c', 'd'], ['a', 'b', 'c'])).toEqual({
    tried: ['a', 'b', 'c'],
    outcome: new Error('a'),
  });
});
