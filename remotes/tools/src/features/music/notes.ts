import type { Instrument, Song } from './songs.ts';

export interface Note {
  instrument: Instrument;
  hz: number;
  /** Seconds since the beginning of the loop (`notesOf`) or of the music (`notesBetween`). */
  at: number;
  lengthS: number;
}

export interface Loop {
  notes: readonly Note[];
  loopS: number;
}

const SEMITONES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const ACCIDENTALS: Record<string, number> = { '#': 1, b: -1, '': 0 };

/** The frequency of a beat. Drums have no pitch, so instruments ignore it. */
const BEAT_HZ = 55;

/** The notes of one loop, sorted by time. @throws Error when a part contains a malformed note */
export function notesOf({ bpm, parts }: Song): Loop {
  const stepS = 60 / bpm / 2;
  const voices = Object.entries(parts).map(([instrument, part]) => ({
    instrument: instrument as Instrument,
    signs: part.split(/[\s|]+/),
  }));
  const steps = Math.max(...voices.map(({ signs }) => signs.length));

  const notes = voices.flatMap(({ instrument, signs }) =>
    Array.from({ length: steps }, (_, step) => {
      const sign = signs[step % signs.length] ?? '-';
      if (sign === '-' || sign === '.') return [];

      const lengthS = stepS * (1 + noteLengthAt(signs, step % signs.length));
      return sign.split('+').map((name) => ({ instrument, hz: pitchOf(name), at: step * stepS, lengthS }));
    }).flat(),
  );
  return { notes: notes.sort((one, other) => one.at - other.at), loopS: steps * stepS };
}

/** The notes that begin in a range of time, while the loop repeats. @param to not included */
export function notesBetween({ notes, loopS }: Loop, from: number, to: number): Note[] {
  const found: Note[] = [];
  for (let round = Math.floor(from / loopS); round * loopS < to; round++) {
    for (const note of notes) {
      const at = note.at + round * loopS;
      if (at >= from && at < to) found.push({ ...note, at });
    }
  }
  return found;
}

function noteLengthAt(signs: readonly string[], step: number): number {
  const end = signs.findIndex((sign, at) => at > step && sign !== '.');
  return (end === -1 ? signs.length : end) - step - 1;
}

/** The frequency of a note in hertz, in equal temperament with A4 = 440 Hz. */
function pitchOf(name: string): number {
  if (name === 'x') return BEAT_HZ;

  const [, letter = '', altered = '', octave = ''] = /^([A-G])([#b]?)(\d)$/.exec(name) ?? [];
  const semitone = SEMITONES[letter];
  if (semitone === undefined) throw new Error(`"${name}" is no note.`);

  return 440 * 2 ** ((semitone + (ACCIDENTALS[altered] ?? 0) + (Number(octave) - 4) * 12 - 9) / 12);
}
