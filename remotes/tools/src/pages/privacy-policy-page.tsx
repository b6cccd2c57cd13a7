import { Page } from '@app/design-system/page';
import { PolicyContents } from '../features/privacy/contents.tsx';
import { Policy } from '../features/privacy/policy.tsx';
import { StoredHere } from '../features/privacy/stored-here.tsx';
import { t } from '../words.ts';

export function PrivacyPolicyPage() {
  return (
    <Page heading={t('policy.heading')} lead={t('policy.updated')} narrow aside={<PolicyContents />}>
      <Policy />
      <StoredHere />
    </Page>
  );
}
