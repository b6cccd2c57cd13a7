import { COMPANION, PRODUCT } from '@app/contracts/brand';
import { t } from '../../words.ts';
import css from './policy.module.css';

export const SECTIONS = [
  { id: 'information', heading: 'policy.information', text: 'policy.information.text' },
  { id: 'purpose', heading: 'policy.purpose', text: 'policy.purpose.text' },
  { id: 'links', heading: 'policy.links', text: 'policy.links.text' },
  { id: 'retention', heading: 'policy.retention', text: 'policy.retention.text' },
  { id: 'scope', heading: 'policy.scope', text: 'policy.scope.text' },
] as const;

export function Policy() {
  return (
    <div className={css.policy}>
      {SECTIONS.map(({ id, heading, text }) => (
        <section key={id} className={css.section} aria-labelledby={id}>
          <h2 id={id} className={css.heading}>
            {t(heading)}
          </h2>
          <p className={css.text}>{t(text, { app: PRODUCT.label, companion: COMPANION.label })}</p>
        </section>
      ))}
    </div>
  );
}
