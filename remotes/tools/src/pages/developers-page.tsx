import { Page } from '@app/design-system/page';
import { Steps } from '@app/design-system/steps';
import { Contents, ContentsButton } from '../contents.tsx';
import { AskPart } from '../features/reference/ask-part.tsx';
import { ChangesPart, LimitsPart, RegisterPart, TryPart } from '../features/reference/authors/author-parts.tsx';
import { WebhooksPart } from '../features/reference/authors/webhooks-part.tsx';
import { CodesPart, OfflinePart, OnlinePart } from '../features/reference/check-parts.tsx';
import { Docs } from '../features/reference/docs.tsx';
import { OpenPart } from '../features/reference/open-part.tsx';
import { Part, Text } from '../features/reference/part.tsx';
import { RefusalsPart } from '../features/reference/refusals-part.tsx';
import { OneLanguage } from '../features/reference/sample.tsx';
import { Samples } from '../features/reference/samples.tsx';
import { t } from '../features/reference/words.ts';
import { t as tell } from '../features/reference/authors/words.ts';

const SECTIONS = [
  { id: 'way', label: 'dev.way' },
  { id: 'open', label: 'dev.open' },
  { id: 'ask', label: 'dev.ask' },
  { id: 'offline', label: 'dev.offline' },
  { id: 'online', label: 'dev.online' },
  { id: 'codes', label: 'dev.codes' },
  { id: 'refusals', label: 'dev.refusals' },
  { id: 'samples', label: 'dev.samples' },
] as const;

const LATER_SECTIONS = [
  { id: 'limits', label: 'dev.limits' },
  { id: 'try', label: 'dev.try' },
  { id: 'webhooks', label: 'dev.webhooks' },
  { id: 'register', label: 'dev.register' },
  { id: 'changes', label: 'dev.changes' },
] as const;

/** The page for app authors: how an app gets a key and checks it. */
export function DevelopersPage() {
  const contents = {
    sections: [
      ...SECTIONS.map(({ id, label }) => ({ id, label: t(label) })),
      ...LATER_SECTIONS.map(({ id, label }) => ({ id, label: tell(label) })),
    ],
    words: { label: t('contents.label'), open: t('contents.open'), close: t('contents.close') },
  };

  return (
    <Page heading={t('dev.heading')} lead={t('dev.lead')} compact>
      <ContentsButton {...contents} />
      <Docs aside={<Contents {...contents} />}>
        <OneLanguage>
          <Part id="way" heading={t('dev.way')}>
            <Steps
              steps={[
                { title: t('dev.way.open'), text: t('dev.way.open.text') },
                { title: t('dev.way.wait'), text: t('dev.way.wait.text') },
                { title: t('dev.way.check'), text: t('dev.way.check.text') },
                { title: t('dev.way.ask'), text: t('dev.way.ask.text') },
              ]}
            />
          </Part>
          <OpenPart />
          <AskPart />
          <OfflinePart />
          <OnlinePart />
          <CodesPart />
          <RefusalsPart />
          <Part id="samples" heading={t('dev.samples')}>
            <Text>{t('dev.samples.text')}</Text>
            <Samples />
          </Part>
          <LimitsPart />
          <TryPart />
          <WebhooksPart />
          <RegisterPart />
          <ChangesPart />
        </OneLanguage>
      </Docs>
    </Page>
  );
}
