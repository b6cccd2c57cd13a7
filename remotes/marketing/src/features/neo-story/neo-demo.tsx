import { Section } from '@app/design-system/section';
import type { ReactNode } from 'react';
import css from './neo-demo.module.css';
import { t } from './words.ts';

interface NeoDemoProps {
  trailer: ReactNode;
  /** A video in portrait format. Beside the trailer it has the same height. */
  short: ReactNode;
}

/** The two videos about NEO: the trailer and the short video. */
export function NeoDemo({ trailer, short }: NeoDemoProps) {
  return (
    <Section id="demo" heading={t('neo.demo.heading')} lead={t('neo.demo.lead')}>
      <div className={css.videos}>
        {trailer}
        <div className={css.short}>{short}</div>
      </div>
    </Section>
  );
}
