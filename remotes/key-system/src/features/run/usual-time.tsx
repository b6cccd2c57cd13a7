import { t } from '../../words.ts';
import css from './usual-time.module.css';

const MINUTE_MS = 60_000;

const COARSE_FROM = 15;
const COARSE = 5;

const LONGEST_USUAL_MS = 60 * MINUTE_MS;

/** Says how long a run usually takes, once the server has told it. */
export function UsualTime({ ms }: { ms: number | undefined }) {
  return (
    <span className={css.usual} data-longest={describe(LONGEST_USUAL_MS)}>
      <span>{ms !== undefined && describe(ms)}</span>
    </span>
  );
}

function describe(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes < 2) return t('run.usuallyShort');
  if (ms > LONGEST_USUAL_MS) return t('run.usuallyLong');

  const grain = minutes < COARSE_FROM ? 1 : COARSE;
  return t('run.usually', { minutes: Math.round(minutes / grain) * grain });
}
