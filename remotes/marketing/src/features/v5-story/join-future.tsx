import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import css from './join-future.module.css';

/** The invitation over the trailer. */
export function JoinFuture({ children }: { children: ReactNode }) {
  return (
    <section id="demo" className={css.section} aria-labelledby="demo-heading">
      <header className={css.head}>
        <h2 id="demo-heading">
          {t('v5.join')} <span className={css.new}>{t('v5.new')}</span>
        </h2>
        <p className={css.lead}>{t('v5.joinLead')}</p>
      </header>
      {children}
    </section>
  );
}
