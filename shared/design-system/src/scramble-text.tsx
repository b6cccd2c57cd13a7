import { useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import css from './scramble-text.module.css';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from './words.ts';

/** How long a phrase is shown. */
const ROTATE_MS = 5000;
/** How long the letters of a phrase take to appear. */
const REVEAL_MS = 4000;
/** How often the random letters change. */
export const SCRAMBLE_MS = 120;

const GLYPHS = 'acefhknorstuvxyz0123456789/<>*+=';

/**
 * One line that shows several phrases in turn; each one appears out of random letters. Screen readers get the phrase
 * itself, a button stops the change, and with reduced motion the first phrase stays. The longest phrase sets the width.
 */
export function ScrambleText({ phrases }: { phrases: readonly string[] }) {
  const shown = useRef<HTMLSpanElement>(null);
  const [index, setIndex] = useState(0);
  const [isStopped, setIsStopped] = useState(false);
  const isStill = useReducedMotion();
  const phrase = phrases[isStill ? 0 : index];

  useEffect(() => {
    const line = shown.current;
    if (!line || isStill || isStopped) return;

    const startedAt = performance.now();
    const timer = setInterval(() => {
      const phase = phaseAt(performance.now() - startedAt, phrases.length);
      write(line, scrambleFrame(phrases[phase.index] ?? '', phase.elapsedMs));
      setIndex(phase.index);
    }, SCRAMBLE_MS);
    return () => clearInterval(timer);
  }, [phrases, isStill, isStopped]);

  useEffect(() => {
    if (phrase && (isStill || isStopped)) write(shown.current, phrase);
  }, [phrase, isStill, isStopped]);

  return (
    <span className={css.line}>
      <span className={css.text}>
        <VisuallyHidden>{phrase}</VisuallyHidden>
        {phrases.map((each) => (
          <span key={each} className={css.room} aria-hidden="true">
            {each}
          </span>
        ))}
        {/* The effects write what follows the first phrase. */}
        <span ref={shown} className={css.shown} aria-hidden="true">
          {phrases[0]}
        </span>
      </span>
      <button
        type="button"
        className={css.stop}
        aria-label={isStopped ? t('scramble.start') : t('scramble.stop')}
        onClick={() => setIsStopped(!isStopped)}
      >
        <Icon name={isStopped ? 'play' : 'pause'} size={14} />
      </button>
    </span>
  );
}

/** Writes into the text node that is there: to replace it makes the browser compute the styles of the whole page again. */
function write(line: Element | null, text: string): void {
  if (line?.firstChild) line.firstChild.nodeValue = text;
}

/**
 * What a phrase looks like while its letters appear from left to right. The same moment always gives the same letters.
 * Spaces stay, so that lines break at the same places.
 */
export function scrambleFrame(phrase: string, elapsedMs: number): string {
  const letters = [...phrase];
  const settled = Math.floor((letters.length * elapsedMs) / REVEAL_MS);
  const step = Math.floor(elapsedMs / SCRAMBLE_MS);

  return letters.map((letter, index) => (index < settled || letter === ' ' ? letter : glyphAt(index, step))).join('');
}

/** The index of the phrase that is shown, and how long it has been shown, in milliseconds. */
export function phaseAt(elapsedMs: number, phrases: number): { index: number; elapsedMs: number } {
  return { index: Math.floor(elapsedMs / ROTATE_MS) % phrases, elapsedMs: elapsedMs % ROTATE_MS };
}

function glyphAt(index: number, step: number): string {
  return GLYPHS[(index * 17 + step * 31 + index * step * 7) % GLYPHS.length] ?? '#';
}
