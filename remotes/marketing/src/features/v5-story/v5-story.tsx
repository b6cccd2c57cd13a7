import { ASSISTANT } from '@app/contracts/brand';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { Icon } from '@app/design-system/icon';
import { ScrambleText } from '@app/design-system/scramble-text';
import { Section } from '@app/design-system/section';
import { type ReactNode, useMemo } from 'react';
import { Art } from '../../art/art.tsx';
import { t as common } from '../../words.ts';
import css from './v5-story.module.css';
import { t } from './words.ts';

export function JoinFuture({ children }: { children: ReactNode }) {
  return (
    <Section
      id="demo"
      layout="beside"
      heading={
        <>
          <span>{t('v5.join')}</span> <span className={css.new}>{t('v5.new')}</span>
        </>
      }
      lead={t('v5.joinLead')}
    >
      {children}
    </Section>
  );
}

export function Why() {
  return (
    <Section id="why" heading={t('why.heading')}>
      <FeatureGrid
        features={[
          { title: t('why.ui.title'), text: t('why.ui.text'), art: <Art of="v5Typing" /> },
          { title: t('why.ai.title'), text: t('why.ai.text'), art: <Art of="v5Answer" /> },
          { title: t('why.speed.title'), text: t('why.speed.text'), art: <Art of="v5Running" /> },
          { title: t('why.new.title'), text: t('why.new.text'), art: <Art of="v5Fix" /> },
        ]}
      />
    </Section>
  );
}

const PHRASES = [1, 2, 3, 4, 5, 6] as const;

/** The name of the AI assistant, and phrases about what it does, one after the other. */
export function AssistantLine() {
  const phrases = useMemo(() => PHRASES.map((phrase) => common(`v5.tagline.${phrase}`)), []);

  return (
    <>
      <span className={css.assistant}>
        <Icon name="spark" size={18} />
        {ASSISTANT}
      </span>
      <span className={css.line}>
        <ScrambleText phrases={phrases} />
      </span>
    </>
  );
}
