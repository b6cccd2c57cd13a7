import { Section } from '@app/design-system/section';
import type { ReactNode } from 'react';
import { t } from './words.ts';
import css from './join-future.module.css';

/** The section with the trailer; its heading invites visitors to V5. */
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
