import { COMPANION } from '@app/contracts/brand';
import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
import { t as common } from '../../words.ts';
import { t } from './words.ts';

/** The three steps of buying a plan, which begin and end in the app. */
export function PlanHow() {
  return (
    <Section id="how" heading={common('how.heading')} lead={t('plans.covers', { app: COMPANION.label })}>
      <Steps
        steps={[
          { title: t('plans.how.start.title'), text: t('plans.how.start.text') },
          { title: t('plans.how.pay.title'), text: t('plans.how.pay.text') },
          { title: t('plans.how.play.title'), text: t('plans.how.play.text') },
        ]}
      />
    </Section>
  );
}
