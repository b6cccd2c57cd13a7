import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { t } from '../../words.ts';
import css from './policy.module.css';

const FACTS = ['policy.fact.account', 'policy.fact.device', 'policy.fact.address', 'policy.fact.sold'] as const;

export const SECTIONS = [
  { id: 'information', heading: 'policy.information', text: 'policy.information.text' },
  { id: 'purpose', heading: 'policy.purpose', text: 'policy.purpose.text' },
  { id: 'links', heading: 'policy.links', text: 'policy.links.text' },
  { id: 'retention', heading: 'policy.retention', text: 'policy.retention.text' },
  { id: 'scope', heading: 'policy.scope', text: 'policy.scope.text' },
] as const;

/** What most visitors want to know; the texts below say it in full. */
export function PolicyFacts() {
  return (
    <ul className={css.facts}>
      {FACTS.map((fact) => (
        <li key={fact} className={css.fact}>
          {t(fact)}
        </li>
      ))}
    </ul>
  );
}

export function Policy() {
  return (
    <div className={css.policy}>
      {SECTIONS.map(({ id, heading, text }) => (
        <section key={id} id={id} className={css.section} aria-labelledby={`${id}-heading`}>
          <h2 id={`${id}-heading`} className={css.heading}>
            {t(heading)}
          </h2>
          <p className={css.text}>{t(text, { app: PRODUCT.label, companion: COMPANION.label })}</p>
        </section>
      ))}
    </div>
  );
}
