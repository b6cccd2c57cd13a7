import { t } from '../../words.ts';
import css from './usual-time.module.css';

const MINUTE_MS = 60_000;

const MIN_ROUNDED_MINUTES = 15;
const ROUNDING_MINUTES = 5;

const MAX_USUAL_MS = 60 * MINUTE_MS;

/** Says how long a run usually takes, once the server has told it, and else how many ads it is. */
export function UsualTime({ ms, ads }: { ms: number | undefined; ads?: number | undefined }) {
  return (
    <span className={css.usual} data-longest={describe(MAX_USUAL_MS)}>
      <span>{ms !== undefined ? describe(ms) : ads !== undefined && t('run.ads', { count: ads })}</span>
    </span>
  );
}

function describe(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes < 2) return t('run.usuallyShort');
  if (ms > MAX_USUAL_MS) return t('run.usuallyLong');

  const grain = minutes < MIN_ROUNDED_MINUTES ? 1 : ROUNDING_MINUTES;
  return t('run.usually', { minutes: Math.round(minutes / grain) * grain });
}
