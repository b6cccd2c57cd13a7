import { Page } from '@app/design-system/page';
import { BothDownloads } from '../features/downloads/both-downloads.tsx';
import { t } from '../words.ts';

export function SuccessV5Page() {
  return (
    <Page heading={t('success.heading')} lead={t('success.lead')} narrow>
      <BothDownloads />
    </Page>
  );
}
