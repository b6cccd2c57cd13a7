import { Page } from '@app/design-system/page';
import { Steps } from '@app/design-system/steps';
import { AskPart } from '../features/reference/ask-part.tsx';
import { OfflinePart, OnlinePart } from '../features/reference/check-parts.tsx';
import { OpenPart } from '../features/reference/open-part.tsx';
import { Part, Text } from '../features/reference/part.tsx';
import { RefusalsPart } from '../features/reference/refusals-part.tsx';
import { Samples } from '../features/reference/samples.tsx';
import { t } from '../words.ts';

/** The page for app authors: how an app gets a key and checks it. */
export function DevelopersPage() {
  return (
    <Page heading={t('dev.heading')} lead={t('dev.lead')} narrow>
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
      <RefusalsPart />
      <Part id="samples" heading={t('dev.samples')}>
        <Text>{t('dev.samples.text')}</Text>
        <Samples />
      </Part>
    </Page>
  );
}
