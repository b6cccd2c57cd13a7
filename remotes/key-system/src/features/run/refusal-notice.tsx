import { Notice } from '@app/design-system/notice';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import type { Refusal } from './refusals.ts';
import css from './refusal-notice.module.css';

interface RefusalNoticeProps {
  refusal: Refusal;
  /** What the counting has led to is said elsewhere. */
  isPaused?: boolean;
  /** When one can go on, for a refusal that has such a moment. */
  wait?: ReactNode;
}

/** What happened, what to do next, and whether it counts. */
export function RefusalNotice({
  refusal: { what, next, counts, isCounted },
  isPaused = false,
  wait,
}: RefusalNoticeProps) {
  return (
    <Notice kind={isCounted ? 'warning' : 'info'} title={what} holdsToasts>
      <span className={css.line}>{next}</span>
      {counts && (
        <span className={css.line}>
          {counts} {isCounted && !isPaused && t('refusal.ladder')}
        </span>
      )}
      {wait}
    </Notice>
  );
}
