import { Page } from '@app/design-system/page';
import { Section } from '@app/design-system/section';
import { ResellerGrid } from '../features/resellers/resellers.tsx';
import { t } from '../features/resellers/words.ts';
import { Trailer } from '../features/trailer/trailer.tsx';

export function ResellersPage() {
  return (
    <Page compact heading={t('resellers.heading')} lead={t('resellers.lead')}>
      <ResellerGrid />
      <Section id="trailer" layout="beside" heading={t('resellers.see')} lead={t('resellers.seeLead')}>
        <Trailer app="v5" still="redeem" title={t('resellers.trailer')} />
      </Section>
    </Page>
  );
}
