import { LaunchLink } from '@app/brand-ui/launch';
import { PLANS, type Plan } from '@app/contracts/plans';
import { ResultPage } from '@app/design-system/result-page';
import { DaysSign, DeviceSign, StateSign } from '@app/design-system/state-sign';
import { keepDevice, siteSettings } from '@app/platform';
import { momentOf } from '../../moment.ts';
import { t as common } from '../../words.ts';
import { BothDownloads } from '../downloads/both-downloads.tsx';
import { NextSteps } from '../payment/next-steps.tsx';
import { t } from '../payment/words.ts';
import { EDITIONS } from '../plans/buy-plan.ts';

interface CodeRedeemedProps {
  plan: Plan['id'];
  /** When the plan ends, in epoch milliseconds by the server's clock. */
  until: number;
  /** The server's clock minus this device's, in milliseconds. */
  serverOffsetMs: number;
}

/** What a reseller's code has become: the plan, its end, and the way into the app. */
export function CodeRedeemed({ plan: id, until, serverOffsetMs }: CodeRedeemedProps) {
  const { name, days } = PLANS.find((plan) => plan.id === id) ?? PLANS[0];

  return (
    <ResultPage
      art={<StateSign is="done" from={<DaysSign days={days} />} to={<DeviceSign />} />}
      heading={common('success.heading')}
      lead={t('order.active.lead', { plan: name, ...momentOf(until, serverOffsetMs) })}
      next={<NextSteps steps={[t('next.active.1'), t('next.active.2')]} />}
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
