import { Page } from '@app/design-system/page';
import { QaBoard } from '../features/qa/qa-board.tsx';
import { t } from '../features/qa/words.ts';

/** What QA sees and chooses for this browser. */
export function QaPage() {
  return (
    <Page compact eyebrow={t('eyebrow')} heading={t('title')} lead={t('lead')}>
      <QaBoard />
    </Page>
  );
}
