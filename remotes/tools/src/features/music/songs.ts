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

export const SONGS: readonly Song[] = [
  {
    title: 'Night build',
    bpm: 92,
    parts: {
      pad: 'A3+C4+E4 . . . . . . . | F3+A3+C4 . . . . . . . | G3+C4+E4 . . . . . . . | G3+B3+D4 . . . . . . .',
      bass: 'A2 - A2 - E2 - A2 - | F2 - F2 - C2 - F2 - | C2 - C2 - G2 - C3 - | G2 - G2 - D2 - G2 -',
      lead: '- - E4 . A4 . G4 E4 | - - C5 . A4 . F4 . | - - G4 . E4 . G4 C5 | B4 . . . D5 . - -',
      kick: 'x - - - x - - -',
      hat: '- - x - - - x x',
    },
  },
  {
    title: 'Low orbit',
    bpm: 72,
    parts: {
      pad: 'D3+A3+F4 . . . . . . . | Bb2+F3+D4 . . . . . . . | C3+G3+E4 . . . . . . . | A2+E3+C4 . . . . . . .',
      bass: 'D2 . . . . . . . | Bb1 . . . . . . . | C2 . . . . . . . | A1 . . . E2 . . .',
      pluck: 'D5 A4 F4 A4 D5 A4 F4 A4 | D5 Bb4 F4 Bb4 D5 Bb4 F4 Bb4 | E5 C5 G4 C5 E5 C5 G4 C5 | E5 C5 A4 C5 E5 C5 A4 -',
    },
  },
  {
    title: 'Neon rain',
    bpm: 110,
    parts: {
      pad: 'E3+G3+B3 . . . . . . . | E3+G3+C4 . . . . . . . | D3+G3+B3 . . . . . . . | D3+F#3+A3 . . . . . . .',
      bass: 'E2 E2 E3 E2 E2 E2 E3 E2 | C2 C2 C3 C2 C2 C2 C3 C2 | G1 G1 G2 G1 G1 G1 G2 G1 | D2 D2 D3 D2 D2 D2 D3 D2',
      lead: 'B4 . - G4 . - A4 . | G4 . - E4 . - - - | B4 . - D5 . - B4 . | A4 . . . F#4 . - -',
      kick: 'x - x - x - x -',
      hat: '- x - x - x - x',
    },
  },
  {
    title: 'First light',
    bpm: 84,
    parts: {
      pad: 'C4+E4+G4 . . . . . | A3+C4+E4 . . . . . | A3+C4+F4 . . . . . | G3+B3+D4 . . . . .',
      bass: 'C3 . - - G2 - | A2 . - - E2 - | F2 . - - C2 - | G2 . - - D2 -',
      lead: 'E5 . G5 . E5 . | C5 . E5 . A4 . | A4 . C5 . F5 . | D5 . B4 . G4 .',
      hat: '- - x - x -',
    },
  },
  {
    title: 'Soft reset',
    bpm: 98,
    parts: {
      pad: 'G3+Bb3+D4+F4 . . . . . . . | Eb3+G3+Bb3+D4 . . . . . . . | C3+G3+Bb3+Eb4 . . . . . . . | D3+F#3+A3+C4 . . . . . . .',
      bass: 'G2 . - G2 - - D2 - | Eb2 . - Eb2 - - Bb1 - | C2 . - C2 - - G2 - | D2 . - D2 - - A2 -',
      pluck: '- D5 - Bb4 - - F4 - | - D5 - Bb4 - - G4 - | - Eb5 - C5 - - G4 - | - C5 - A4 - F#4 - -',
      kick: 'x - - x - - x -',
      hat: '- x - x - x - x',
    },
  },
  {
    title: 'Long way up',
    bpm: 124,
    parts: {
      pluck:
        'D4 F#4 A4 D5 A4 F#4 A4 D5 | B3 D4 F#4 B4 F#4 D4 F#4 B4 | G3 B3 D4 G4 D4 B3 D4 G4 | A3 C#4 E4 A4 E4 C#4 E4 A4',
      bass: 'D2 . . D2 . . D2 . | B1 . . B1 . . B1 . | G1 . . G1 . . G1 . | A1 . . A1 . . A1 .',
      lead: 'F#5 . . . E5 . D5 . | D5 . . . C#5 . B4 . | B4 . . . A4 . G4 . | A4 . B4 . C#5 . E5 .',
      kick: 'x - x - x - x -',
      hat: '- x - x - x - x',
    },
  },
];

/** @param random gives a number from 0 (included) to 1 (not included), like `Math.random` */
export function pickSong(random: () => number): Song {
  const song = SONGS[Math.floor(random() * SONGS.length)];
  if (!song) throw new Error('A random number must be below 1.');

  return song;
}
