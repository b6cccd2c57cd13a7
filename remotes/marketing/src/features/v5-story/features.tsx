import { Section } from '@app/design-system/section';
import { TextGrid } from '../../text-grid.tsx';
import { t } from '../../words.ts';

/** The features of V5. */
export function Features() {
  return (
    <Section id="features" heading={t('features.heading')}>
      <TextGrid
        items={[
          { title: t('features.editor.title'), text: t('features.editor.text') },
          { title: t('features.compatible.title'), text: t('features.compatible.text') },
          { title: t('features.reset.title'), text: t('features.reset.text') },
          { title: t('features.genuine.title'), text: t('features.genuine.text') },
        ]}
      />
    </Section>
  );
}
