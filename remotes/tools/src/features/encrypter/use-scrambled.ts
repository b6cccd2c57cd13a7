import { scrambleFrame } from '@app/design-system/scramble-frame';
import { useLayoutEffect, useState } from 'react';

const REVEAL_MS = 720;
const FRAME_MS = 60;

/** How much faster than the phrases of a landing page. */
const SPEED_FACTOR = 1.7;

/** Nobody sees more of a long text. */
const SCRAMBLED_LETTERS = 600;

/** A text that appears out of random letters whenever it changes. With reduced motion it is there at once. */
export function useScrambled(text: string): string {
  const [frame, setFrame] = useState({ text: '', shown: '' });

  useLayoutEffect(() => {
    if (!text || matchMedia('(prefers-reduced-motion: reduce)').matches) return;

    const startedAt = performance.now();
    const draw = () => {
      const elapsed = performance.now() - startedAt;
      const begin = scrambleFrame(text.slice(0, SCRAMBLED_LETTERS), elapsed * SPEED_FACTOR);
      setFrame({ text, shown: begin + text.slice(SCRAMBLED_LETTERS) });
      if (elapsed >= REVEAL_MS) clearInterval(timer);
    };
    const timer = setInterval(draw, FRAME_MS);
    draw();
    return () => clearInterval(timer);
  }, [text]);

  return frame.text === text ? frame.shown : text;
}
