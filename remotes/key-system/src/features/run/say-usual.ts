import { t } from '../../words.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** From here on, minutes are rounded. */
const COARSE_FROM = 15;
const COARSE = 5;

/** Says in words how long a run usually takes. */
export function sayUsual(usualMs: number): string {
  const minutes = usualMs / MINUTE_MS;
  if (minutes < 2) return t('run.usuallyShort');
  if (minutes > HOUR_MINUTES) return t('run.usuallyLong');

  const grain = minutes < COARSE_FROM ? 1 : COARSE;
  return t('run.usually', { minutes: Math.round(minutes / grain) * grain });
}
