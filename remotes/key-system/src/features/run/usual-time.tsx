import { sayUsual } from './say-usual.ts';
import css from './usual-time.module.css';

/** A time that takes the most letters to say. */
const LONGEST_USUAL_MS = 60 * 60_000;

/** Says how long a run usually takes, once the server has told it. */
export function UsualTime({ ms }: { ms: number | undefined }) {
  return (
    <span className={css.usual} data-longest={sayUsual(LONGEST_USUAL_MS)}>
      <span>{ms !== undefined && sayUsual(ms)}</span>
    </span>
  );
}
