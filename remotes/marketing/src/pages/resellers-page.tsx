import { Page } from '@app/design-system/page';
import { ResellerGrid } from '../features/resellers/reseller-grid.tsx';
import { t } from '../features/resellers/words.ts';
import { Trailer } from '../features/trailer/trailer.tsx';

export function ResellersPage() {
  return (
    <Page eyebrow={t('resellers.eyebrow')} heading={t('resellers.heading')} lead={t('resellers.lead')}>
      <ResellerGrid />
      <Trailer app="v5" title={t('resellers.trailer')} />
    </Page>
  );
}
