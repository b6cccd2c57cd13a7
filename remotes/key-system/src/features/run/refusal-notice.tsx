import { Notice } from '@app/design-system/notice';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import type { Refusal } from './refusals.ts';
import css from './refusal-notice.module.css';

interface RefusalNoticeProps {
  refusal: Refusal;
  /** How many strikes the visitor has by now. */
  strikes?: number | undefined;
  /** Whether the page says already what strikes lead to. */
  isLadderSaid?: boolean;
  /** Says when the visitor can go on, for a refusal with such a time. */
  wait?: ReactNode;
}

/** Explains a refusal: what happened, what to do next, and whether it counts towards a cooldown. */
export function RefusalNotice({ refusal, strikes = 0, isLadderSaid = false, wait }: RefusalNoticeProps) {
  const { code, what, next, isStrike } = refusal;
  // KS_STEP changes nothing about the run, and KS_LIMIT says it itself.
  const isSilent = code === 'KS_STEP' || code === 'KS_LIMIT';
  const counts = isStrike ? t('refusal.strikes', { strikes }) : isSilent ? undefined : t('refusal.noStrike');

  return (
    <Notice kind={isStrike ? 'warning' : 'info'} title={what} holdsToasts>
      <span className={css.line}>{next}</span>
      {counts && (
        <span className={css.line}>
          <span>{counts}</span> {isStrike && !isLadderSaid && <span>{t('refusal.ladder')}</span>}
        </span>
      )}
      {wait}
    </Notice>
  );
}
