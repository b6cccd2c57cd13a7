import { expect, test } from 'vitest';
import { createWaitingLine } from './waiting-line.ts';

/** A line in which so many visitors have joined within a second. */
function openLine(joined: number) {
  let at = 1_000_000;
  const line = createWaitingLine(() => at);
  const pauses = Array.from({ length: joined }, () => line.join());
  return { line, pauses, pass: (ms: number) => void (at += ms) };
}

test('while few wait, each comes back after 5 to 15 seconds, and not all at once', () => {
  const { pauses } = openLine(100);

  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(15);
  expect(new Set(pauses).size).toBeGreaterThan(5);
});

test('threat 48: the more wait, the later the next one comes back, so that about a hundred do so each second', () => {
  const { pauses } = openLine(5000);
  const perSecond = new Map<number, number>();
  for (const pause of pauses) perSecond.set(pause, (perSecond.get(pause) ?? 0) + 1);

  expect(pauses.at(-1)).toBeGreaterThanOrEqual(49 + 5);
  expect(Math.max(...perSecond.values())).toBeLessThan(200);
});

test('nobody waits for more than two minutes and a quarter, however many there are', () => {
  const { pauses } = openLine(100_000);

  expect(Math.max(...pauses)).toBeLessThanOrEqual(135);
});

test('the line becomes shorter with time', () => {
  const { line, pass } = openLine(5000);
  pass(50_000);

  expect(line.join()).toBeLessThanOrEqual(15);
});
