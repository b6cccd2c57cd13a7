import { COMPANION } from '@app/contracts/brand';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { Badge } from '@app/design-system/badge';
import { Button } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import { useDevice } from '@app/platform';
import { t } from './words.ts';
import { buyPlan } from './buy-plan.ts';
import css from './plan-list.module.css';

/** The plan that is highlighted. */
const LARGEST = PLANS[2].id;

/** The three plans side by side, with prices, benefits and buttons. */
export function PlanList() {
  const device = useDevice();

  return (
    <>
      <ul className={css.plans}>
        {PLANS.map((plan) => (
          <li key={plan.id} className={css.plan} data-large={plan.id === LARGEST}>
            <div className={css.head}>
              <h2 className={css.name}>{plan.name}</h2>
              {plan.id === LARGEST && <Badge kind="hot">{t('plans.lowest')}</Badge>}
            </div>
            <p className={css.price}>
              {formatPrice(plan.priceCents)} <span className={css.days}>{t('plans.days', { days: plan.days })}</span>
            </p>
            <p className={css.daily}>
              {t('plans.daily', { price: formatPrice(Math.round(plan.priceCents / plan.days)) })}
            </p>
            <ul className={css.benefits}>
              {[t('plans.skip'), ...plan.benefits].map((benefit) => (
                <li key={benefit} className={css.benefit}>
                  <Icon name="check" size={18} />
                  {benefit}
                </li>
              ))}
            </ul>
            <div className={css.buy}>
              <Button wide kind={plan.id === LARGEST ? 'primary' : 'quiet'} onClick={() => void buyPlan(plan, device)}>
                {t('plans.buy', { plan: plan.name })}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <p className={css.covers}>{t('plans.covers', { app: COMPANION.label })}</p>
    </>
  );
}
