import { Comparison } from '@app/design-system/comparison';
import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
import { t as common } from '../../words.ts';
import { t } from './words.ts';

export function Compare() {
  return (
    <Section id="compare" layout="beside" heading={t('compare.heading')} lead={t('compare.lead')}>
      <Comparison
        caption={t('compare.heading')}
        columns={[
          { id: 'v5', heading: common('app.v5') },
          { id: 'neo', heading: common('app.neo') },
        ]}
        rows={[
          { label: t('compare.price'), cells: [t('compare.price.v5'), t('compare.price.neo')] },
          { label: t('compare.unlock'), cells: [t('compare.unlock.v5'), t('compare.unlock.neo')] },
          { label: t('compare.assistant'), cells: [true, false] },
          { label: t('compare.light'), cells: [false, true] },
        ]}
      />
    </Section>
  );
}

export function HowItWorks() {
  return (
    <Section id="how" heading={common('how.heading')}>
      <Steps
        steps={[
          { title: common('how.subscribe.title'), text: common('how.subscribe.text') },
          { title: common('how.install.title'), text: common('how.install.text') },
          { title: common('how.play.title'), text: common('how.play.text') },
        ]}
      />
    </Section>
  );
}
