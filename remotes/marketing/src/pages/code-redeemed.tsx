import { LaunchLink } from '@app/brand-ui/launch';
import { PLANS } from '@app/contracts/plans';
import { ResultPage } from '@app/design-system/result-page';
import { DaysSign, DeviceSign, StatusIcon } from '@app/design-system/state-sign';
import { keepDevice, siteSettings } from '@app/platform';
import { formatDate } from '../date.ts';
import { t as common } from '../words.ts';
import { BothDownloads } from '../features/downloads/both-downloads.tsx';
import { NextSteps } from '@app/design-system/next-steps';
import { t } from '../features/payment/words.ts';
import type { RedeemedPlan } from '../features/redeem/redeem-form.tsx';
import { EDITIONS } from '../features/plans/buy-plan.ts';

/** What a reseller's code has become: the plan, its end, and the way into the app. */
export function CodeRedeemed({ plan: id, until, serverOffsetMs }: RedeemedPlan) {
  const { name, days } = PLANS.find((plan) => plan.id === id) ?? PLANS[0];

  return (
    <ResultPage
      art={<StatusIcon is="done" from={<DaysSign days={days} />} to={<DeviceSign />} />}
      heading={common('success.heading')}
      lead={t('order.active.lead', { plan: name, ...formatDate(until, serverOffsetMs) })}
      next={<NextSteps steps={[t('next.active.1')]} facts={[t('next.active.2')]} />}
      actions={
        <>
          <LaunchLink href={siteSettings().launchUrl} getFrom={keepDevice(EDITIONS)}>
            {t('bought.launch')}
          </LaunchLink>
          <BothDownloads kind="quiet" />
        </>
      }
    />
  );
}
