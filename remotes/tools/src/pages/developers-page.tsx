import { Page } from '@app/design-system/page';
import { Contents, ContentsButton } from '../contents.tsx';
import { listParts } from '../features/reference/author-guide.tsx';
import { OneLanguage } from '../features/reference/call.tsx';
import { Docs } from '../features/reference/docs.tsx';
import { Part } from '../features/reference/part.tsx';
import { t } from '../features/reference/words.ts';

export function DevelopersPage() {
  const parts = listParts();
  const contents = {
    sections: parts.map(({ id, heading }) => ({ id, label: heading })),
    words: { label: t('contents.label'), open: t('contents.open'), close: t('contents.close') },
  };

  return (
    <Page heading={t('dev.heading')} lead={t('dev.lead')} compact>
      <ContentsButton {...contents} />
      <Docs aside={<Contents {...contents} />}>
        <OneLanguage>
          {parts.map((part) => (
            <Part key={part.id} {...part} />
          ))}
        </OneLanguage>
      </Docs>
    </Page>
  );
}
