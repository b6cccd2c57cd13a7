import { isSpecified, STEPS_PER_SERIES } from '@app/contracts/key-system';
import { t } from '../../words.ts';
import { useStepState } from './step-state.ts';
import { UsualTime } from './usual-time.tsx';
import css from './what-comes.module.css';

/** Keeps the line. */
const NOTHING_YET = '\u00a0';

/** Says how many steps come: at the first step, also how long they usually take, and at the end of the first series. */
export function WhatComes() {
  const { app, step, of, isCounted, reading } = useStepState();
  const usualRunMs = reading.status === 'ready' ? reading.state.usualRunMs : undefined;
  const isEndOfSeries = isSpecified(app) && step === STEPS_PER_SERIES && of > step;
  if (step !== 1 && !isEndOfSeries) return null;

  return (
    <p className={css.words}>
      {step === 1 ? (
        <>
          <span>{isCounted ? t('run.comes', { of }) : NOTHING_YET}</span> <UsualTime ms={usualRunMs} />
        </>
      ) : (
        <span>{t('run.follow', { left: of - step })}</span>
      )}
    </p>
  );
}
