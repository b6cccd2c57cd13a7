import { expect, test } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

test('what was not asked for the longest goes when there is no more room', () => {
  const cache = createBoundedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);

  expect(['a', 'b', 'c'].map(cache.get)).toEqual(['A', undefined, 'C']);
});

test('a value that grows takes its room, and what was removed gives it back', () => {
  const cache = createBoundedCache<string>(10);
  cache.set('a', 'A', 0);
  cache.set('b', 'B', 5);
  cache.set('a', 'A', 6);
  expect([cache.get('a'), cache.get('b')]).toEqual(['A', undefined]);

  cache.delete('a');
  cache.set('b', 'B', 10);
  expect(cache.get('b')).toBe('B');
});

test('what is larger than all the room is not kept', () => {
  const cache = createBoundedCache<string>(10);
  cache.set('a', 'A', 11);

  expect(cache.get('a')).toBeUndefined();
});
