import { Notice } from '@app/design-system/notice';
import { t } from '../../words.ts';
import type { Refusal } from './refusals.ts';
import css from './refusal-notice.module.css';

interface RefusalNoticeProps {
  refusal: Refusal;
  /** What the counting has led to is said elsewhere. */
  isPaused?: boolean;
}

/** What happened, what to do next, and whether it counts. */
export function RefusalNotice({ refusal: { what, next, counts, isCounted }, isPaused = false }: RefusalNoticeProps) {
  return (
    <Notice kind={isCounted ? 'warning' : 'info'} title={what}>
      <span className={css.line}>{next}</span>
      {counts && (
        <span className={css.line}>
          {counts} {isCounted && !isPaused && t('refusal.ladder')}
        </span>
      )}
    </Notice>
  );
}
