import { Comparison } from '@app/design-system/comparison';
import { Section } from '@app/design-system/section';
import { t } from '../../words.ts';

export function Compare() {
  return (
    <Section id="compare" layout="beside" heading={t('compare.heading')} lead={t('compare.lead')}>
      <Comparison
        caption={t('compare.heading')}
        columns={[
          { id: 'v5', heading: t('app.v5') },
          { id: 'neo', heading: t('app.neo') },
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
