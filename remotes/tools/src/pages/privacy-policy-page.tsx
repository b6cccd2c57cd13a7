import { Page } from '@app/design-system/page';
import { Contents, ContentsButton } from '../contents.tsx';
import { Policy, PolicyFacts, SECTIONS, StoredHere } from '../features/privacy/policy.tsx';
import { t } from '../words.ts';

export function PrivacyPolicyPage() {
  const contents = {
    sections: [
      ...SECTIONS.map((id) => ({ id, label: t(`policy.${id}`) })),
      { id: 'stored', label: t('stored.heading') },
    ],
    words: { label: t('policy.contents'), open: t('policy.open'), close: t('policy.close') },
  };

  return (
    <Page heading={t('policy.heading')} lead={t('policy.updated')} narrow aside={<Contents {...contents} />}>
      <ContentsButton {...contents} />
      <PolicyFacts />
      <Policy />
      <StoredHere />
    </Page>
  );
}
