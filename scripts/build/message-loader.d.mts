/** Compiles a catalogue: JSON of messages in, JSON of compiled messages out. */
export default function messageLoader(source: string): string;
