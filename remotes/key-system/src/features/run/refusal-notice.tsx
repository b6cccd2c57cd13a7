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
  const { what, next, isCounted } = refusal;
  const counts = isCounted && strikes > 0 ? t('refusal.strikes', { strikes }) : refusal.counts;

  return (
    <Notice kind={isCounted ? 'warning' : 'info'} title={what} holdsToasts>
      <span className={css.line}>{next}</span>
      {counts && (
        <span className={css.line}>
          <span>{counts}</span> {isCounted && !isLadderSaid && <span>{t('refusal.ladder')}</span>}
        </span>
      )}
      {wait}
    </Notice>
  );
}
