import { Countdown } from '@app/design-system/countdown';
import type { ComponentProps } from 'react';
import { t } from '../../words.ts';

/** Stands for the time while its words are looked up. No text contains it. */
const PLACE = '\u0000';

/** A countdown in its words. Languages differ in where the time is. */
export function TimeLeft(countdown: ComponentProps<typeof Countdown>) {
  const [before = '', after = ''] = t('run.timeLeft', { time: PLACE }).split(PLACE);

  return (
    <>
      {before && <span>{before.trim()} </span>}
      <Countdown {...countdown} />
      {after && <span> {after.trim()}</span>}
    </>
  );
}
