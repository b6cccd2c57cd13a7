import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { t } from '../../words.ts';
import css from './policy.module.css';

export const SECTIONS = ['information', 'purpose', 'links', 'retention', 'scope'] as const;

/** What most visitors want to know; the texts below say it in full. */
export function PolicyFacts() {
  return (
    <ul className={css.facts}>
      {(['account', 'device', 'address', 'sold'] as const).map((fact) => (
        <li key={fact} className={css.fact}>
          {t(`policy.fact.${fact}`)}
        </li>
      ))}
    </ul>
  );
}

export function Policy() {
  return (
    <div className={css.policy}>
      {SECTIONS.map((id) => (
        <section key={id} id={id} className={css.section} aria-labelledby={`${id}-heading`}>
          <h2 id={`${id}-heading`} className={css.heading}>
            {t(`policy.${id}`)}
          </h2>
          <p className={css.text}>{t(`policy.${id}.text`, { app: PRODUCT.label, companion: COMPANION.label })}</p>
        </section>
      ))}
    </div>
  );
}
