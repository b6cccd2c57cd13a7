import { expect, test } from 'vitest';
import { scrambleFrame } from './scramble-frame.ts';
import { phaseAt, revealFrame } from './scramble-text.tsx';

const PHRASE = 'Writes the script for you';

test('the letters settle within 1.2 s, and a caret leaves after 4 s', () => {
  expect(revealFrame(PHRASE, 1100)).not.toContain(PHRASE);
  expect([1200, 3999].map((elapsed) => revealFrame(PHRASE, elapsed))).toEqual([`${PHRASE}_`, `${PHRASE}_`]);
  expect(revealFrame(PHRASE, 4000)).toBe(PHRASE);
});

test('at half of that time the first half of the phrase has settled', () => {
  const frame = scrambleFrame(PHRASE, 600);

  expect(frame.slice(0, 12)).toBe(PHRASE.slice(0, 12));
  expect(frame).not.toBe(PHRASE);
});

test('every frame has the length and the spaces of the phrase', () => {
  for (let elapsed = 0; elapsed < 1200; elapsed += 50) {
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
