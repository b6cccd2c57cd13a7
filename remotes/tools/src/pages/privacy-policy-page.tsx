import { Page } from '@app/design-system/page';
import { Policy } from '../features/privacy/policy.tsx';
import { StoredHere } from '../features/privacy/stored-here.tsx';
import { t } from '../words.ts';

export function PrivacyPolicyPage() {
  return (
    <Page heading={t('policy.heading')} lead={t('policy.updated')} narrow>
      <Policy />
      <StoredHere />
    </Page>
  );
}
