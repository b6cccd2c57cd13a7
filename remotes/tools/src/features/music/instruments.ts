import type { Note } from './notes.ts';
import type { Instrument } from './songs.ts';

interface Voice {
  wave: OscillatorType;
  volume: number;
  attackS: number;
  releaseS: number;
  /** The cutoff frequency of its low-pass filter. */
  cutoffHz: number;
}

const VOICES: Record<Exclude<Instrument, 'kick' | 'hat'>, Voice> = {
  pad: { wave: 'sawtooth', volume: 0.05, attackS: 0.35, releaseS: 0.5, cutoffHz: 900 },
  bass: { wave: 'triangle', volume: 0.26, attackS: 0.01, releaseS: 0.12, cutoffHz: 500 },
  pluck: { wave: 'square', volume: 0.07, attackS: 0.005, releaseS: 0.3, cutoffHz: 1800 },
  lead: { wave: 'triangle', volume: 0.17, attackS: 0.02, releaseS: 0.25, cutoffHz: 3200 },
};

const SILENT_GAIN = 0.0001;

/** @param startsAt the start of the music, in seconds of the context's clock */
export function scheduleNote(context: BaseAudioContext, output: AudioNode, note: Note, startsAt: number): void {
  const at = startsAt + note.at;
  if (note.instrument === 'kick') scheduleKick(context, output, at);
  else if (note.instrument === 'hat') scheduleHat(context, output, at);
  else scheduleTone(context, output, VOICES[note.instrument], note, at);
}

function scheduleTone(context: BaseAudioContext, output: AudioNode, voice: Voice, note: Note, at: number): void {
  const { hz, lengthS } = note;
  const tone = new OscillatorNode(context, { type: voice.wave, frequency: hz });
  const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: voice.cutoffHz });
  const loudness = new GainNode(context, { gain: SILENT_GAIN });
  const until = at + lengthS;

  loudness.gain.setValueAtTime(SILENT_GAIN, at);
  loudness.gain.exponentialRampToValueAtTime(voice.volume, at + Math.min(voice.attackS, lengthS / 2));
  loudness.gain.setTargetAtTime(SILENT_GAIN, Math.max(at + voice.attackS, until - 0.03), voice.releaseS / 3);
  tone.connect(filter).connect(loudness).connect(output);
  tone.start(at);
  tone.stop(until + voice.releaseS);
}

function scheduleKick(context: BaseAudioContext, output: AudioNode, at: number): void {
  const tone = new OscillatorNode(context, { type: 'sine' });

  tone.frequency.setValueAtTime(130, at);
  tone.frequency.exponentialRampToValueAtTime(44, at + 0.12);
  tone.connect(fadeOut(context, 0.42, at, 0.22)).connect(output);
  tone.start(at);
  tone.stop(at + 0.24);
}

/** Three high tones that are not in harmony. They sound like a cymbal. */
function scheduleHat(context: BaseAudioContext, output: AudioNode, at: number): void {
  const filter = new BiquadFilterNode(context, { type: 'highpass', frequency: 7000 });

  filter.connect(fadeOut(context, 0.05, at, 0.06)).connect(output);
  for (const hz of [3170, 4230, 5410]) {
    const tone = new OscillatorNode(context, { type: 'square', frequency: hz });
    tone.connect(filter);
    tone.start(at);
    tone.stop(at + 0.08);
  }
}

function fadeOut(context: BaseAudioContext, volume: number, at: number, lengthS: number): GainNode {
  const loudness = new GainNode(context, { gain: SILENT_GAIN });
  loudness.gain.setValueAtTime(volume, at);
  loudness.gain.exponentialRampToValueAtTime(SILENT_GAIN, at + lengthS);
  return loudness;
}
