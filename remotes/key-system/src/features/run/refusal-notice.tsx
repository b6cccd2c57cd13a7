import { Notice } from '@app/design-system/notice';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import type { Refusal } from './refusals.ts';
import css from './refusal-notice.module.css';

interface RefusalNoticeProps {
  refusal: Refusal;
  /** Says when the visitor can go on, for a refusal with such a time. */
  wait?: ReactNode;
}

/** Explains a refusal: what happened, what to do next, and whether it counts towards a cooldown. */
export function RefusalNotice({ refusal: { what, next, counts, isCounted }, wait }: RefusalNoticeProps) {
  return (
    <Notice kind={isCounted ? 'warning' : 'info'} title={what} holdsToasts>
      <span className={css.line}>{next}</span>
      {counts && (
        <span className={css.line}>
          <span>{counts}</span> {isCounted && <span>{t('refusal.ladder')}</span>}
        </span>
      )}
      {wait}
    </Notice>
  );
}
