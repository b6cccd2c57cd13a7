import { late } from '@app/brand-ui/late';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { ART_PLACE } from '../../art-place.tsx';
import { t } from './words.ts';

const WhyArt = late(async () => (await import(/* webpackChunkName: "drawings" */ './why-art.tsx')).WhyArt);

export function Why() {
  return (
    <Section id="why" heading={t('why.heading')}>
      <FeatureGrid
        features={[
          { title: t('why.ui.title'), text: t('why.ui.text'), art: <Art of="ui" /> },
          { title: t('why.ai.title'), text: t('why.ai.text'), art: <Art of="ai" /> },
          { title: t('why.speed.title'), text: t('why.speed.text'), art: <Art of="speed" /> },
          { title: t('why.new.title'), text: t('why.new.text'), art: <Art of="new" /> },
        ]}
      />
    </Section>
  );
}

function Art({ of }: { of: 'ui' | 'ai' | 'speed' | 'new' }) {
  return (
    <div className={ART_PLACE}>
      <WhyArt of={of} />
    </div>
  );
}
