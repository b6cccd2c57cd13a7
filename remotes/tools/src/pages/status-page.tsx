import { Page } from '@app/design-system/page';
import { SiteStatus } from '../features/status/site-status.tsx';
import { t } from '../features/status/words.ts';

export function StatusPage() {
  return (
    <Page quiet heading={t('status.heading')}>
      <SiteStatus />
    </Page>
  );
}
