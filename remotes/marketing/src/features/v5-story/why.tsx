import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { Art } from '../../art/art.tsx';
import { t } from './words.ts';

export function Why() {
  return (
    <Section id="why" heading={t('why.heading')}>
      <FeatureGrid
        features={[
          { title: t('why.ui.title'), text: t('why.ui.text'), art: <Art of="v5Typing" /> },
          { title: t('why.ai.title'), text: t('why.ai.text'), art: <Art of="v5AnswerLater" /> },
          { title: t('why.speed.title'), text: t('why.speed.text'), art: <Art of="v5Running" /> },
          { title: t('why.new.title'), text: t('why.new.text'), art: <Art of="v5Fix" /> },
        ]}
      />
    </Section>
  );
}
