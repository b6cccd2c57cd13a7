import { LaunchLink } from '@app/brand-ui/launch';
import { PLANS } from '@app/contracts/plans';
import { ResultPage } from '@app/design-system/result-page';
import { DaysSign, DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { keepDevice, siteSettings, useLocation, useSearchParams } from '@app/platform';
import { type Launch, NextWhileWaiting, OrderResult } from '../features/payment/order-result.tsx';
import { useOrder } from '../features/payment/use-order.ts';
import { t } from '../features/payment/words.ts';
import { EDITIONS } from '../features/plans/buy-plan.ts';

/**
 * The page after the payment of a plan, with one address for each plan. It says what the server knows about the order
 * of its address. Without one it claims nothing. The page itself grants nothing.
 */
export function PlanActivePage() {
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const reference = query.get('ref');
  const reading = useOrder(reference);
  const plan = PLANS.find(({ id }) => pathname === `/success-${id}`) ?? PLANS[0];
  const launch: Launch = (kind) => (
    <LaunchLink href={siteSettings().launchUrl} getFrom={keepDevice(EDITIONS)} kind={kind}>
      {t('bought.launch')}
    </LaunchLink>
  );
  if (reading.is !== 'none')
    return <OrderResult reference={reference ?? ''} reading={reading} plan={plan} launch={launch} />;

  return (
    <ResultPage
      art={<StatusIcon is="waiting" from={<DaysSign days={plan.days} />} to={<DeviceSign />} />}
      heading={t('bought.heading', { plan: plan.name })}
      lead={t('bought.lead', { days: plan.days })}
      next={<NextWhileWaiting />}
      actions={launch('quiet')}
    />
  );
}
