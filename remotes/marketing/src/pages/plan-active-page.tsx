import { LaunchLink } from '@app/brand-ui/launch';
import { PLANS } from '@app/contracts/plans';
import { ResultPage } from '@app/design-system/result-page';
import { DaysSign, DeviceSign, StateSign } from '@app/design-system/state-sign';
import { keepDevice, siteSettings, useLocation } from '@app/platform';
import { EDITIONS } from '../features/plans/buy-plan.ts';
import { t } from '../words.ts';

/** The page after the payment of a plan, with one address for each plan. The page itself grants nothing. */
export function PlanActivePage() {
  const { pathname } = useLocation();
  const plan = PLANS.find(({ id }) => pathname === `/success-${id}`) ?? PLANS[0];

  return (
    <ResultPage
      art={<StateSign is="done" from={<DaysSign days={plan.days} />} to={<DeviceSign />} />}
      heading={t('active.heading', { plan: plan.name })}
      lead={t('active.lead', { days: plan.days })}
      actions={
        <LaunchLink href={siteSettings().launchUrl} getFrom={keepDevice(EDITIONS)}>
          {t('action.launch')}
        </LaunchLink>
      }
    />
  );
}
