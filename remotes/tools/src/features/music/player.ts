import { scheduleNote } from './instruments.ts';
import { notesBetween, notesOf } from './notes.ts';
import type { Song } from './songs.ts';

/** How far ahead notes are scheduled. Browsers run the timers of background tabs only once a second. */
const LOOKAHEAD_S = 1.5;
const TICK_MS = 250;

export const BARS = 16;

/** The first band of the first bar, and the band after the last bar: about 70 Hz to 6 kHz of a 2048-point FFT. */
const FIRST_BAND = 3;
const END_BAND = 256;

export interface Player {
  play: (song: Song) => void;
  setMuted: (isMuted: boolean) => void;
  setPaused: (isPaused: boolean) => void;
  /** The level of each bar now, from 0 to 255. */
  levels: () => number[];
  close: () => void;
}

/** Generates music in the browser. Call it in the handler of a click, because browsers allow sound only after one. */
export function openPlayer(): Player | undefined {
  if (typeof AudioContext === 'undefined') return undefined;

  const context = new AudioContext();
  const volume = new GainNode(context, { gain: 0.8 });
  const levels = new AnalyserNode(context, {
    fftSize: 2048,
    smoothingTimeConstant: 0.75,
    minDecibels: -85,
    maxDecibels: -20,
  });
  const spectrum = new Uint8Array(levels.frequencyBinCount);
  let ticking: ReturnType<typeof setInterval> | undefined;

  volume.connect(new DynamicsCompressorNode(context)).connect(levels).connect(context.destination);
  void context.resume();

  return {
    play(song) {
      clearInterval(ticking);
      const loop = notesOf(song);
      const startsAt = context.currentTime + 0.1;
      let done = 0;

      // While the context is suspended, its clock stops, so no new notes are scheduled.
      function tick() {
        const to = context.currentTime - startsAt + LOOKAHEAD_S;
        for (const note of notesBetween(loop, done, to)) scheduleNote(context, volume, note, startsAt);
        done = to;
      }
      tick();
      ticking = setInterval(tick, TICK_MS);
    },
    setMuted: (isMuted) => void volume.gain.setTargetAtTime(isMuted ? 0 : 0.8, context.currentTime, 0.02),
    setPaused: (isPaused) => void (isPaused ? context.suspend() : context.resume()),
    levels() {
      levels.getByteFrequencyData(spectrum);
      return barsOf(spectrum);
    },
    close() {
      clearInterval(ticking);
      void context.close();
    },
  };
}

/** The loudest band of each bar, 0 to 255. Each octave has the same width, as in human hearing. */
export function barsOf(spectrum: Uint8Array): number[] {
  const bandAt = (bar: number) => Math.round(FIRST_BAND * (END_BAND / FIRST_BAND) ** (bar / BARS));
  return Array.from({ length: BARS }, (_, bar) => Math.max(...spectrum.subarray(bandAt(bar), bandAt(bar + 1))));
}
