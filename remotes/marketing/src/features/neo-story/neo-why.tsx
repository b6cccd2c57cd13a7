import { late } from '@app/brand-ui/late';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { ART_PLACE } from '../../art-place.tsx';
import { t } from './words.ts';

const NeoArt = late(async () => (await import(/* webpackChunkName: "drawings" */ './neo-art.tsx')).NeoArt);

const REASONS = ['free', 'light', 'both'] as const;

export function NeoWhy() {
  return (
    <Section id="why" heading={t('neo.why.heading')}>
      <FeatureGrid
        features={REASONS.map((reason) => ({
          title: t(`neo.why.${reason}.title`),
          text: t(`neo.why.${reason}.text`),
          art: (
            <div className={ART_PLACE}>
              <NeoArt of={reason} />
            </div>
          ),
        }))}
      />
    </Section>
  );
}
