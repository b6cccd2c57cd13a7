import { COMPANION } from '@app/contracts/brand';
import { Icon } from '@app/design-system/icon';
import css from './in-every-plan.module.css';
import { t } from './words.ts';

const SHARED = ['steps', 'ads', 'companion'] as const;

/** What all plans have, so that nobody looks for it on each card. */
export function InEveryPlan() {
  return (
    <section className={css.shared} aria-labelledby="in-every-plan">
      <h2 id="in-every-plan" className={css.heading}>
        {t('every.heading')}
      </h2>
      <ul className={css.list}>
        {SHARED.map((one) => (
          <li key={one} className={css.one}>
            <Icon name="check" size={18} />
            <span>{t(`every.${one}`, { app: COMPANION.label })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
