import { Icon } from '@app/design-system/icon';
import type { ReactNode } from 'react';
import css from './before-paying.module.css';
import { t } from './words.ts';

const FACTS = [
  { icon: 'external', text: 'before.where' },
  { icon: 'bolt', text: 'before.when' },
  { icon: 'shield', text: 'before.device' },
] as const;

/** What happens after a plan is chosen, before anything is paid. The children say how to get the money back. */
export function BeforePaying({ children }: { children: ReactNode }) {
  return (
    <section className={css.before} aria-labelledby="before-paying">
      <h2 id="before-paying" className={css.heading}>
        {t('before.heading')}
      </h2>
      <ul className={css.facts}>
        {FACTS.map(({ icon, text }) => (
          <li key={icon} className={css.fact}>
            <Icon name={icon} size={20} />
            <span>{t(text)}</span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
