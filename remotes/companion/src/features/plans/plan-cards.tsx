import { formatPrice, PLANS } from '@app/contracts/plans';
import { Icon } from '@app/design-system/icon';
import { t } from '../../words.ts';
import css from './plan-cards.module.css';

export function PlanCards() {
  return (
    <ul className={css.plans}>
      {PLANS.map(({ id, name, priceCents, days, benefits }) => (
        <li key={id} className={css.plan}>
          <h3>{name}</h3>
          <p className={css.price}>
            <span>{formatPrice(priceCents)}</span> <span className={css.days}>{t('plans.days', { days })}</span>
          </p>
          <ul className={css.benefits}>
            {benefits.map((benefit) => (
              <li key={benefit} className={css.benefit}>
                <Icon name="check" size={18} />
                <span>{t(`benefit.${benefit}`)}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
