import { expect, test } from 'vitest';
import { phaseAt, REVEAL_MS, ROTATE_MS, scrambleFrame, SCRAMBLE_MS } from './scramble-frame.ts';

const PHRASE = 'Writes the script for you';

test('after the reveal the phrase is plain', () => {
  expect(scrambleFrame(PHRASE, REVEAL_MS)).toBe(PHRASE);
  expect(scrambleFrame(PHRASE, ROTATE_MS)).toBe(PHRASE);
});

test('half-way, the first half stands and the rest does not', () => {
  const frame = scrambleFrame(PHRASE, REVEAL_MS / 2);

  expect(frame.slice(0, 12)).toBe(PHRASE.slice(0, 12));
  expect(frame).not.toBe(PHRASE);
});

test('every frame is as long as the phrase and has its spaces', () => {
  for (let elapsed = 0; elapsed < REVEAL_MS; elapsed += 50) {
    expect(scrambleFrame(PHRASE, elapsed).replaceAll(/\S/g, 'x')).toBe(PHRASE.replaceAll(/\S/g, 'x'));
  }
});

test('glyphs change every 120 ms and not in between', () => {
  const tail = (elapsed: number) => scrambleFrame(PHRASE, elapsed).slice(-4);

  expect(tail(0)).toBe(tail(SCRAMBLE_MS - 1));
  expect(tail(0)).not.toBe(tail(SCRAMBLE_MS));
});

test('each of six phrases has its five seconds, then the first comes again', () => {
  expect([0, 4999, 5000, 29_999, 30_000].map((elapsed) => phaseAt(elapsed, 6).index)).toEqual([0, 0, 1, 5, 0]);
  expect(phaseAt(12_300, 6).elapsedMs).toBe(2300);
});
