import { FeatureGrid } from '@app/design-system/feature-grid';
import { Section } from '@app/design-system/section';
import { t } from '../../words.ts';

/** The features of V5. */
export function Features() {
  return (
    <Section id="features" heading={t('features.heading')}>
      <FeatureGrid
        features={[
          { icon: 'copy', title: t('features.editor.title'), text: t('features.editor.text') },
          { icon: 'check', title: t('features.compatible.title'), text: t('features.compatible.text') },
          { icon: 'android', title: t('features.reset.title'), text: t('features.reset.text') },
          { icon: 'shield', title: t('features.genuine.title'), text: t('features.genuine.text') },
        ]}
      />
    </Section>
  );
}
