import { formatPrice, PLANS } from '@app/contracts/plans';
import { Section } from '@app/design-system/section';
import { TextGrid } from '../../text-grid.tsx';
import { t } from './words.ts';

export function NeoFeatures() {
  return (
    <Section id="features" heading={t('neo.features.heading')}>
      <TextGrid
        items={[
          { title: t('neo.features.editor.title'), text: t('neo.features.editor.text') },
          { title: t('neo.features.saved.title'), text: t('neo.features.saved.text') },
          { title: t('neo.features.key.title'), text: t('neo.features.key.text') },
          {
            title: t('neo.features.plans.title'),
            text: t('neo.features.plans.text', { price: formatPrice(PLANS[0].priceCents) }),
          },
        ]}
      />
    </Section>
  );
}
