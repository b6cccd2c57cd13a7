import { expect, test } from 'vitest';
import { notesOf } from './notes.ts';
import { pickSong, SONGS } from './songs.ts';

test('there are six songs, each with a name of its own', () => {
  expect(SONGS).toHaveLength(6);
  expect(new Set(SONGS.map(({ title }) => title)).size).toBe(6);
});

test('each song is picked with the same probability', () => {
  const picked = Array.from({ length: 600 }, (_, at) => pickSong(() => at / 600).title);
  const counts = SONGS.map(({ title }) => picked.filter((one) => one === title).length);

  expect(counts).toEqual([100, 100, 100, 100, 100, 100]);
});

test.each(SONGS)('every note of $title is audible', (song) => {
  const { notes, loopS } = notesOf(song);

  expect(loopS).toBeGreaterThan(5);
  for (const { hz, at, lengthS } of notes) {
    expect(hz).toBeGreaterThan(40);
    expect(hz).toBeLessThan(2000);
    expect(at + lengthS).toBeLessThanOrEqual(loopS + 1e-9);
  }
});

test.each(SONGS)('the parts of $title are whole loops or repeat evenly', ({ parts }) => {
  const lengths = Object.values(parts).map((part) => part.split(/[\s|]+/).length);

  for (const length of lengths) expect(Math.max(...lengths) % length).toBe(0);
});
