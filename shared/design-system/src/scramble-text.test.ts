import { expect, test } from 'vitest';
import { scrambleFrame } from './scramble-frame.ts';
import { phaseAt } from './scramble-text.tsx';

const PHRASE = 'Writes the script for you';

test('the phrase is revealed after 4000 ms and not before', () => {
  expect(scrambleFrame(PHRASE, 3999)).not.toBe(PHRASE);
  expect(scrambleFrame(PHRASE, 4000)).toBe(PHRASE);
  expect(scrambleFrame(PHRASE, 5000)).toBe(PHRASE);
});

test('at half time the first half of the phrase is revealed', () => {
  const frame = scrambleFrame(PHRASE, 2000);

  expect(frame.slice(0, 12)).toBe(PHRASE.slice(0, 12));
  expect(frame).not.toBe(PHRASE);
});

test('every frame has the length and the spaces of the phrase', () => {
  for (let elapsed = 0; elapsed < 4000; elapsed += 50) {
    expect(scrambleFrame(PHRASE, elapsed).replaceAll(/\S/g, 'x')).toBe(PHRASE.replaceAll(/\S/g, 'x'));
  }
});

test('glyphs change every 120 ms and not in between', () => {
  const tail = (elapsed: number) => scrambleFrame(PHRASE, elapsed).slice(-4);

  expect(tail(0)).toBe(tail(119));
  expect(tail(0)).not.toBe(tail(120));
});

test('each of six phrases is shown for five seconds, then the first again', () => {
  expect([0, 4999, 5000, 29_999, 30_000].map((elapsed) => phaseAt(elapsed, 6).index)).toEqual([0, 0, 1, 5, 0]);
  expect(phaseAt(12_300, 6).elapsedMs).toBe(2300);
});
