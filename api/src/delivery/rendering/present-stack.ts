/** So much of a stack is told, in characters. */
const MOST_TOLD = 2000;

/** A line of a stack that is in the renderer itself or in Node. It would tell paths of this machine. */
const FRAME_OF_OURS = /^ +at .*(?:file:|node:).*\n?/gm;

const CONTROL = /[^\P{Cc}\n]/gu;

/**
 * Makes what a page threw fit to be told to the one who publishes it, in a terminal as well: only the lines of the release,
 * without control characters, and not too much.
 */
export function presentStack(stack: string): string {
  return stack.replace(FRAME_OF_OURS, '').replace(CONTROL, '').trim().slice(0, MOST_TOLD);
}
