import songs from './songs.json';

export type Instrument = 'pad' | 'bass' | 'pluck' | 'lead' | 'kick' | 'hat';

/** A song that repeats. The songs were written for this page. */
export interface Song {
  title: string;
  bpm: number;
  /**
   * The notes of each instrument. Each word is an eighth: a note (`F#4`), a chord (`A3+C4+E4`), a beat (`x`), `.` to
   * hold the note, or `-` for silence. `|` separates bars. A part that is shorter than the loop repeats.
   */
  parts: Partial<Record<Instrument, string>>;
}

export const SONGS: readonly Song[] = songs;

/** @param random gives a number from 0 (included) to 1 (not included), like `Math.random` */
export function pickSong(random: () => number): Song {
  const song = SONGS[Math.floor(random() * SONGS.length)];
  if (!song) throw new Error('A random number must be below 1.');

  return song;
}
