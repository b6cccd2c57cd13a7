import { Page } from '@app/design-system/page';
import { ReleasesBoard } from '../features/qa/releases-board.tsx';
import { t } from '../features/qa/words.ts';

/** Every unit with its channels and releases. */
export function ReleasesPage() {
  return (
    <Page compact eyebrow={t('eyebrow')} heading={t('releases.title')} lead={t('releases.lead')}>
      <ReleasesBoard />
    </Page>
  );
}
