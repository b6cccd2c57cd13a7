import { formatPrice, PLANS } from '@app/contracts/plans';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { t } from './words.ts';

/** The features of NEO. */
export function NeoFeatures() {
  return (
    <Section id="features" heading={t('neo.features.heading')}>
      <FeatureGrid
        features={[
          { icon: 'copy', title: t('neo.features.editor.title'), text: t('neo.features.editor.text') },
          { icon: 'check', title: t('neo.features.saved.title'), text: t('neo.features.saved.text') },
          { icon: 'shield', title: t('neo.features.key.title'), text: t('neo.features.key.text') },
          {
            icon: 'spark',
            title: t('neo.features.plans.title'),
            text: t('neo.features.plans.text', { price: formatPrice(PLANS[0].priceCents) }),
          },
        ]}
      />
    </Section>
  );
}
