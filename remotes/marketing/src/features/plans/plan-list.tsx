import { COMPANION } from '@app/contracts/brand';
import { PAGES } from '@app/contracts/pages';
import { countSavings, formatPrice, FREE_KEY, type Plan, PLANS } from '@app/contracts/plans';
import { buttonClass } from '@app/design-system/button';
import { Icon } from '@app/design-system/icon';
import texts from '@app/design-system/text.module.css';
import { type Device, Link, useKnownDevice } from '@app/platform';
import type { MouseEvent, ReactNode } from 'react';
import { formatDate } from '../../date.ts';
import { buyPlan, paymentAddress } from './buy-plan.ts';
import css from './plan-list.module.css';
import { PLAN_START } from './plan-device.tsx';
import type { PlanStatus } from './use-plan-status.ts';
import { t } from './words.ts';

const LARGEST_PLAN = PLANS[2];

/** What all plans have, so that nobody looks for it on each card. */
const SHARED_BENEFITS: readonly string[] = PLANS[0].benefits;

interface PlanListProps {
  device: Device | undefined;
  status: PlanStatus;
}

export function PlanList({ device, status }: PlanListProps) {
  return (
    <>
      <ul className={css.plans}>
        {PLANS.map((plan) => (
          <li key={plan.id} className={css.plan} data-large={plan.id === LARGEST_PLAN.id}>
            <div className={css.offer}>
              <div className={css.head}>
                <h2 className={css.name}>{plan.name}</h2>
                <p className={css.daily}>
                  {t('plans.daily', { price: formatPrice(Math.round(plan.priceCents / plan.days)) })}
                </p>
              </div>
              <p className={css.price}>
                <span>{formatPrice(plan.priceCents)}</span>{' '}
                <span className={css.days}>{t('plans.days', { days: plan.days })}</span>
              </p>
            </div>
            <Savings plan={plan} />
            <div className={css.buy}>
              <BuyPlan plan={plan} device={device} status={status} />
            </div>
          </li>
        ))}
      </ul>
      <p className={css.counted}>{t('plans.counted', FREE_KEY)}</p>
    </>
  );
}

/** What grows with the plan, drawn in the same scale on each card, and what this plan alone has. */
function Savings({ plan }: { plan: Plan }) {
  const { steps, hours } = countSavings(plan);
  const extras = plan.benefits.filter((benefit) => !SHARED_BENEFITS.includes(benefit));

  return (
    <div className={css.savings}>
      <svg className={css.scale} aria-hidden="true">
        <rect className={css.bar} width={`${(plan.days / LARGEST_PLAN.days) * 100}%`} height="100%" rx="5" />
      </svg>
      <p className={css.saved}>
        <strong>{t('plans.skipped', { steps })}</strong> <span>{t('plans.saved', { hours })}</span>
      </p>
      {extras.length > 0 && (
        <ul className={css.list}>
          {extras.map((benefit) => (
            <Fact key={benefit}>{t(`benefit.${benefit}`)}</Fact>
          ))}
        </ul>
      )}
    </div>
  );
}

function Fact({ children }: { children: string }) {
  return (
    <li className={texts.fact}>
      <Icon name="check" size={18} />
      <span>{children}</span>
    </li>
  );
}

/**
 * The link that buys a plan. It works before the page does: the server takes the device from the page's address. Without
 * a device it leads to how one begins in the app. While one runs that cannot be renewed yet, it says from when on instead.
 */
function BuyPlan({ plan, device, status }: PlanListProps & { plan: Plan }) {
  const isBegun = useKnownDevice() === 'zoned';
  const running = status.is === 'running' ? status.plan : undefined;
  if (running && !running.renewable)
    return (
      <p className={css.later}>
        {t('plans.renewFrom', { day: formatDate(running.renewableFrom, running.serverOffsetMs).day })}
      </p>
    );

  function onClick(event: MouseEvent) {
    // A click that opens another tab or window leaves this page as it is.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;

    event.preventDefault();
    void buyPlan(plan, device);
  }

  return (
    <a
      className={buttonClass({ wide: true, kind: plan.id === LARGEST_PLAN.id ? 'primary' : 'quiet' })}
      href={isBegun ? paymentAddress(plan, device) : `#${PLAN_START}`}
      onClick={onClick}
    >
      {t(running ? 'plans.renew' : 'plans.buy', { plan: plan.name })}
    </a>
  );
}

export function InEveryPlan() {
  return (
    <section className={css.shared} aria-labelledby="in-every-plan">
      <h2 id="in-every-plan" className={css.heading}>
        {t('every.heading')}
      </h2>
      <ul className={css.list}>
        {PLANS[0].benefits.map((benefit) => (
          <Fact key={benefit}>{t(`benefit.${benefit}`)}</Fact>
        ))}
        <Fact>{t('every.companion', { app: COMPANION.label })}</Fact>
      </ul>
    </section>
  );
}

/** A plan for somebody else: a payment here is for one device, and only a reseller's code can be given away. */
export function GiftNote() {
  return (
    <p className={css.gift}>
      <Icon name="gift" />
      <span>{t('gift.text')}</span>
      <Link className={texts.link} to={PAGES.resellers}>
        {t('gift.go')}
      </Link>
    </p>
  );
}

const FACTS = [
  { icon: 'external', text: 'before.where' },
  { icon: 'bolt', text: 'before.when' },
  { icon: 'shield', text: 'before.device' },
] as const;

/** What happens after a plan is chosen, before anything is paid. The children say how to get the money back. */
export function BeforePaying({ children }: { children: ReactNode }) {
  return (
    <section className={css.before} aria-labelledby="before-paying">
      <h2 id="before-paying" className={css.title}>
        {t('before.heading')}
      </h2>
      <ul className={css.facts}>
        {FACTS.map(({ icon, text }) => (
          <li key={icon} className={texts.fact}>
            <Icon name={icon} size={20} />
            <span>{t(text)}</span>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
