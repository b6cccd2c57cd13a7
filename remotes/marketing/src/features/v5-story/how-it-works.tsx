import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
import { t } from '../../words.ts';

/** The three steps from the purchase of V5 to the first script. */
export function HowItWorks() {
  return (
    <Section id="how" heading={t('how.heading')}>
      <Steps
        steps={[
          { title: t('how.subscribe.title'), text: t('how.subscribe.text') },
          { title: t('how.install.title'), text: t('how.install.text') },
          { title: t('how.play.title'), text: t('how.play.text') },
        ]}
      />
    </Section>
  );
}
