import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { t } from './words.ts';

/** Four reasons for NEO. */
export function NeoWhy() {
  return (
    <Section id="why" heading={t('neo.why.heading')}>
      <FeatureGrid
        features={[
          { icon: 'gift', title: t('neo.why.free.title'), text: t('neo.why.free.text') },
          { icon: 'bolt', title: t('neo.why.light.title'), text: t('neo.why.light.text') },
          { icon: 'apple', title: t('neo.why.both.title'), text: t('neo.why.both.text') },
          { icon: 'star', title: t('neo.why.loved.title'), text: t('neo.why.loved.text') },
        ]}
      />
    </Section>
  );
}
