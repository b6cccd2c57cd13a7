/** How much of a stack is shown, in characters. */
const MOST_SHOWN = 2000;

/** A frame of a stack in the renderer itself or in Node. It would reveal paths of this machine. */
const FRAME_OF_OURS = /^ +at .*(?:file:|node:).*\n?/gm;

const CONTROL = /[^\P{Cc}\n]/gu;

/**
 * Makes the stack of a page fit to be shown to its publisher, also in a terminal: only the frames of the release,
 * without control characters, and of a bounded length.
 */
export function presentStack(stack: string): string {
  return stack
    .replaceAll(process.execPath, 'node')
    .replace(FRAME_OF_OURS, '')
    .replace(CONTROL, '')
    .trim()
    .slice(0, MOST_SHOWN);
}
