import { STEPS_PER_SERIES } from '@app/contracts/key-system';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import css from './what-comes.module.css';

/** Says how many steps come, at the first step and at the end of the first series. */
export function WhatComes({ step, of }: { step: number; of: number }) {
  const isEndOfSeries = step === STEPS_PER_SERIES && of > step;
  if (step !== 1 && !isEndOfSeries) return null;

  return (
    <p className={css.line}>
      <Icon name="gift" size={18} />
      <span>{step === 1 ? t('run.comes', { of }) : t('run.follow', { left: of - step })}</span>
    </p>
  );
}
