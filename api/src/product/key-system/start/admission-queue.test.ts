import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAdmissionQueue } from './admission-queue.ts';

const networkOf = (nth: number) => createHash('sha256').update(String(nth)).digest('base64url');

/** A queue that so many visitors of different networks have joined within a second. */
function openQueue(joined: number) {
  let at = 1_000_000;
  const queue = createAdmissionQueue(() => at);
  const pauses = Array.from({ length: joined }, (_, nth) => queue.join(networkOf(nth)));
  return { queue, pauses, pass: (ms: number) => void (at += ms) };
}

test('the first visitors wait a random 5 to 15 seconds', () => {
  const { pauses } = openQueue(100);

  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15);
  expect(new Set(pauses).size).toBeGreaterThan(5);
});

test('threat 48: about a hundred queued visitors return each second', () => {
  const { pauses } = openQueue(5000);
  const perSecond = new Map<number, number>();
  for (const pause of pauses) perSecond.set(pause, (perSecond.get(pause) ?? 0) + 1);

  expect(pauses.at(-1)).toBeGreaterThanOrEqual(49 + 5);
  expect(Math.max(...perSecond.values())).toBeLessThan(200);
});

test('a queued visitor waits at most 135 seconds', () => {
  const { pauses } = openQueue(100_000);

  expect(Math.max(...pauses)).toBeLessThanOrEqual(135);
});

test('the waiting time of the queue decreases as time passes', () => {
  const { queue, pass } = openQueue(5000);
  pass(50_000);

  expect(queue.join(networkOf(0))).toBeLessThanOrEqual(15);
});

test('threat 48: a network that joins the queue 20 000 times delays other visitors by at most six seconds', () => {
  const { queue } = openQueue(0);
  for (let asked = 0; asked < 20_000; asked++) queue.join(networkOf(1));

  expect(queue.join(networkOf(2))).toBeLessThanOrEqual(15 + 6);
});

test('the number of queue places of a network is reset after a minute', () => {
  const { queue, pass } = openQueue(0);
  const join = () => Array.from({ length: 600 }, () => queue.join(networkOf(1))).at(-1) ?? NaN;
  join();
  pass(60_000);

  expect(join()).toBeGreaterThanOrEqual(5 + 5);
});
