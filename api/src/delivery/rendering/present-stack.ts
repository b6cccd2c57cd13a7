const MOST_SHOWN = 2000;

/** A frame of a stack in the renderer itself or in Node. It would reveal paths of this machine. */
const FRAME_OF_OURS = /^ +at .*(?:file:|node:).*\n?/gm;

const CONTROL = /[^\P{Cc}\n]/gu;

/** A stack for its publisher, also in a terminal: only frames of the release, no control characters, bounded. */
export function presentStack(stack: string): string {
  return stack
    .replaceAll(process.execPath, 'node')
    .replace(FRAME_OF_OURS, '')
    .replace(CONTROL, '')
    .trim()
    .slice(0, MOST_SHOWN);
}
