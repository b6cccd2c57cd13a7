/** How long a phrase stays, how much of that its reveal takes, and how often the glyphs change that are not settled. */
const ROTATE_MS = 5000;
const REVEAL_MS = 4000;
export const SCRAMBLE_MS = 120;

const GLYPHS = 'acefhknorstuvxyz0123456789/<>*+=';

/**
 * What is seen of a phrase while it settles from left to right. The same moment gives the same glyphs,
 * so nothing here needs chance. Spaces stay, and with them the places where lines break.
 */
export function scrambleFrame(phrase: string, elapsedMs: number): string {
  const letters = [...phrase];
  const settled = Math.floor((letters.length * elapsedMs) / REVEAL_MS);
  const step = Math.floor(elapsedMs / SCRAMBLE_MS);

  return letters.map((letter, index) => (index < settled || letter === ' ' ? letter : glyphAt(index, step))).join('');
}

/** Which of the phrases is on, and for how long already. */
export function phaseAt(elapsedMs: number, phrases: number): { index: number; elapsedMs: number } {
  return { index: Math.floor(elapsedMs / ROTATE_MS) % phrases, elapsedMs: elapsedMs % ROTATE_MS };
}

function glyphAt(index: number, step: number): string {
  return GLYPHS[(index * 17 + step * 31 + index * step * 7) % GLYPHS.length] ?? '#';
}
