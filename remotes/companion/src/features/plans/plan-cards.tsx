import { AppMark } from '@app/brand-ui/app-mark';
import { COMPANION } from '@app/contracts/brand';
import { formatPrice, PLANS } from '@app/contracts/plans';
import { Icon } from '@app/design-system/icon';
import type { ReactNode } from 'react';
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

export function CoveredNote({ action }: { action: ReactNode }) {
  return (
    <aside className={css.note}>
      <AppMark app="v5" size={44} />
      <div className={css.description}>
        <h3 className={css.heading}>{t('covered.heading')}</h3>
        <p className={css.text}>{t('covered.text', { app: COMPANION.label })}</p>
      </div>
      {action}
    </aside>
  );
}
