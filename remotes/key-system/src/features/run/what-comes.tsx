import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import { sayUsual } from './say-usual.ts';
import { useStepState } from './step-state.ts';
import css from './what-comes.module.css';

/** A time that takes the most letters to say. */
const LONGEST_USUAL_MS = 60 * 60_000;

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
