import { useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { SCRAMBLE_INTERVAL_MS, scrambleFrame } from './scramble-frame.ts';
import css from './scramble-text.module.css';
import { useReducedMotion } from './use-reduced-motion.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import { t } from './words.ts';

const PHRASE_INTERVAL_MS = 5000;
const REVEAL_DURATION_MS = 4000;

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
      writeText(line, revealFrame(phrases[phase.index] ?? '', phase.elapsedMs));
      setIndex(phase.index);
    }, SCRAMBLE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [phrases, isStill, isStopped]);

  useEffect(() => {
    if (phrase && (isStill || isStopped)) writeText(shown.current, phrase);
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

/** A caret stands after the phrase until its reveal is over. */
export function revealFrame(phrase: string, elapsedMs: number): string {
  return scrambleFrame(phrase, elapsedMs) + (elapsedMs < REVEAL_DURATION_MS ? '_' : '');
}

/** Writes into the text node that is there: to replace it makes the browser compute the styles of the whole page again. */
function writeText(line: Element | null, text: string): void {
  if (line?.firstChild) line.firstChild.nodeValue = text;
}

/** The index of the phrase that is shown, and how long it has been shown, in milliseconds. */
export function phaseAt(elapsedMs: number, phrases: number): { index: number; elapsedMs: number } {
  return { index: Math.floor(elapsedMs / PHRASE_INTERVAL_MS) % phrases, elapsedMs: elapsedMs % PHRASE_INTERVAL_MS };
}
