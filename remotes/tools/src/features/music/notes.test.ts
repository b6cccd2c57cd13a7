import { expect, test } from 'vitest';
import { notesBetween, notesOf } from './notes.ts';
import { SONGS, type Song } from './songs.ts';

/** A song in which an eighth note lasts half a second. */
const SONG: Song = { title: 'Test', bpm: 60, parts: { lead: 'A4 . - C4+E4 | Bb3 - F#5 .', kick: 'x -' } };

test('notes have the pitch of their names', () => {
  const pitches = notesOf(SONG)
    .notes.filter(({ instrument }) => instrument === 'lead')
    .map(({ hz }) => Math.round(hz));

  expect(pitches).toEqual([440, 262, 330, 233, 740]);
});

test('each note has its time and lasts as long as it is held', () => {
  const lead = notesOf(SONG).notes.filter(({ instrument }) => instrument === 'lead');

  expect(lead.map(({ at, lengthS }) => [at, lengthS])).toEqual([
    [0, 1],
    [1.5, 0.5],
    [1.5, 0.5],
    [2, 0.5],
    [3, 1],
  ]);
});

test('a short part repeats to the end of the loop', () => {
  const { notes, loopS } = notesOf(SONG);

  expect(loopS).toBe(4);
  expect(notes.filter(({ instrument }) => instrument === 'kick').map(({ at }) => at)).toEqual([0, 1, 2, 3]);
});

test('the error for a malformed note names it', () => {
  expect(() => notesOf({ ...SONG, parts: { lead: 'H4' } })).toThrow('"H4" is no note.');
});

test.each(SONGS)('when $title is split into time ranges, each note is in one of them', (song) => {
  const loop = notesOf(song);
  const cuts = [0, 0.001, 0.25, 1, 1.7, loop.loopS, loop.loopS + 0.3, 3 * loop.loopS];
  const found = cuts.slice(1).flatMap((to, index) => notesBetween(loop, cuts[index] ?? 0, to));

  expect(found).toHaveLength(loop.notes.length * 3);
  expect(found).toEqual(notesBetween(loop, 0, 3 * loop.loopS));
});
