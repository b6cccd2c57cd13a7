import { Comparison } from '@app/design-system/comparison';
import { Section } from '@app/design-system/section';
import { t } from '../../words.ts';
import { t as story } from './words.ts';

export function Compare() {
  return (
    <Section id="compare" layout="beside" heading={story('compare.heading')} lead={story('compare.lead')}>
      <Comparison
        caption={story('compare.heading')}
        columns={[
          { id: 'v5', heading: t('app.v5') },
          { id: 'neo', heading: t('app.neo') },
        ]}
        rows={[
          { label: story('compare.price'), cells: [story('compare.price.v5'), story('compare.price.neo')] },
          { label: story('compare.unlock'), cells: [story('compare.unlock.v5'), story('compare.unlock.neo')] },
          { label: story('compare.assistant'), cells: [true, false] },
          { label: story('compare.light'), cells: [false, true] },
        ]}
      />
    </Section>
  );
}
