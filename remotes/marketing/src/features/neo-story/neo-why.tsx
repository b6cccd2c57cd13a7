import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { Art } from '../../art/art.tsx';
import { t } from './words.ts';

const ART = { free: 'neoKey', light: 'neoRun', both: 'neoTwice' } as const;

export function NeoWhy() {
  return (
    <Section id="why" heading={t('neo.why.heading')}>
      <FeatureGrid
        features={(['free', 'light', 'both'] as const).map((reason) => ({
          title: t(`neo.why.${reason}.title`),
          text: t(`neo.why.${reason}.text`),
          art: <Art of={ART[reason]} />,
        }))}
      />
    </Section>
  );
}
