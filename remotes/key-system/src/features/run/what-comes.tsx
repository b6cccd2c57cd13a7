import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import { useStepState } from './step-state.ts';
import css from './what-comes.module.css';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** From here on, minutes are rounded. */
const COARSE_FROM = 15;
const COARSE = 5;

/** A time that takes the most letters to say. */
const LONGEST_USUAL_MS = HOUR_MINUTES * MINUTE_MS;

/** Says how many steps come: at the first step, also how long they usually take, and at the end of the first series. */
export function WhatComes() {
  const { step, of, reading } = useStepState();
  const usualRunMs = reading.status === 'ready' ? reading.state.usualRunMs : undefined;
  const isEndOfSeries = step === STEPS_PER_SERIES && of > step;
  if (step !== 1 && !isEndOfSeries) return null;

  return (
    <p className={css.words}>
      {step === 1 ? (
        <>
          <span>{t('run.comes', { of })}</span>{' '}
          <span className={css.usual} data-longest={sayUsual(LONGEST_USUAL_MS)}>
            <span>{usualRunMs !== undefined && sayUsual(usualRunMs)}</span>
          </span>
        </>
      ) : (
        <span>{t('run.follow', { left: of - step })}</span>
      )}
    </p>
  );
}

/** Says in words how long a run usually takes. */
export function sayUsual(usualMs: number): string {
  const minutes = usualMs / MINUTE_MS;
  if (minutes < 2) return t('run.usuallyShort');
  if (minutes > HOUR_MINUTES) return t('run.usuallyLong');

  const grain = minutes < COARSE_FROM ? 1 : COARSE;
  return t('run.usually', { minutes: Math.round(minutes / grain) * grain });
}
