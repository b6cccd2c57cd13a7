import { Section } from '@app/design-system/section';
import type { ReactNode } from 'react';
import css from './neo-demo.module.css';
import { t } from './words.ts';

interface NeoDemoProps {
  trailer: ReactNode;
  /** Upright, as high as the trailer where both stand side by side. */
  short: ReactNode;
}

/** NEO at work, at length and in short. */
export function NeoDemo({ trailer, short }: NeoDemoProps) {
  return (
    <Section id="demo" layout="centred" heading={t('neo.demo.heading')} lead={t('neo.demo.lead')}>
      <div className={css.videos}>
        {trailer}
        <div className={css.short}>{short}</div>
      </div>
    </Section>
  );
}
