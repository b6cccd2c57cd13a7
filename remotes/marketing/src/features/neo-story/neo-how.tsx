import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
import { t as common } from '../../words.ts';
import { t } from './words.ts';

/** The three steps from the download of NEO to the first script. */
export function NeoHow() {
  return (
    <Section id="how" heading={common('how.heading')}>
      <Steps
        steps={[
          { title: t('neo.how.install.title'), text: t('neo.how.install.text') },
          { title: t('neo.how.key.title'), text: t('neo.how.key.text') },
          { title: t('neo.how.play.title'), text: t('neo.how.play.text') },
        ]}
      />
    </Section>
  );
}
