/** Early in the four seconds of a phrase's reveal, so that it is readable for most of them. */
const SETTLED_AFTER_MS = 1200;
export const SCRAMBLE_INTERVAL_MS = 120;

const GLYPHS = 'acefhknorstuvxyz0123456789/<>*+=';

/**
 * What a phrase looks like while its letters appear from left to right. The same moment always gives the same letters.
 * Spaces stay, so that lines break at the same places.
 */
export function scrambleFrame(phrase: string, elapsedMs: number): string {
  const letters = [...phrase];
  const settled = Math.floor((letters.length * elapsedMs) / SETTLED_AFTER_MS);
  const step = Math.floor(elapsedMs / SCRAMBLE_INTERVAL_MS);

  return letters.map((letter, index) => (index < settled || letter === ' ' ? letter : glyphAt(index, step))).join('');
}

function glyphAt(index: number, step: number): string {
  return GLYPHS[(index * 17 + step * 31 + index * step * 7) % GLYPHS.length] ?? '#';
}
