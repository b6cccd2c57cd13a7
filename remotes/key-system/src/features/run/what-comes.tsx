import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import { LONGEST_USUAL_MS, sayUsual } from './say-usual.ts';
import css from './what-comes.module.css';

interface WhatComesProps {
  step: number;
  of: number;
  /** How long a run usually takes, in milliseconds, once the server has said so. */
  usualRunMs: number | undefined;
}

/** Says how many steps come: at the first step, also how long they usually take, and at the end of the first series. */
export function WhatComes({ step, of, usualRunMs }: WhatComesProps) {
  const isEndOfSeries = step === STEPS_PER_SERIES && of > step;
  if (step !== 1 && !isEndOfSeries) return null;

  return (
    <p className={css.line}>
      <Icon name="gift" size={18} />
      {step === 1 ? (
        <span className={css.words}>
          <span>{t('run.comes', { of })}</span>{' '}
          <span className={css.usual} data-longest={sayUsual(LONGEST_USUAL_MS)}>
            <span>{usualRunMs !== undefined && sayUsual(usualRunMs)}</span>
          </span>
        </span>
      ) : (
        <span>{t('run.follow', { left: of - step })}</span>
      )}
    </p>
  );
}
