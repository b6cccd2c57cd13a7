import { Countdown } from '@app/design-system/countdown';
import type { ComponentProps } from 'react';
import { t } from '../../words.ts';

/** Stands for the time while its words are looked up. No text contains it. */
const TIME_PLACEHOLDER = '\u0000';

/** A countdown in its words. Languages differ in where the time is. */
export function TimeLeft(countdown: ComponentProps<typeof Countdown>) {
  const [before = '', after = ''] = t('run.timeLeft', { time: TIME_PLACEHOLDER }).split(TIME_PLACEHOLDER);

  return (
    <>
      {before && <span>{before.trim()} </span>}
      <Countdown {...countdown} />
      {after && <span> {after.trim()}</span>}
    </>
  );
}
