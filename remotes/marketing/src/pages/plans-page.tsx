import { Page } from '@app/design-system/page';
import { useDevice, useKnownDevice } from '@app/platform';
import { TicketNote } from '../features/payment/ticket-note.tsx';
import { BeforePaying, GiftNote, InEveryPlan, PlanList } from '../features/plans/plan-list.tsx';
import { PlanDevice, PlanStart } from '../features/plans/plan-device.tsx';
import { usePlanStatus } from '../features/plans/use-plan-status.ts';
import { t } from '../features/plans/words.ts';

/** The prices come first. How one begins in the app is for visitors without a device, once they have seen them. */
export function PlansPage() {
  const device = useDevice();
  const status = usePlanStatus(device);
  const isBegun = useKnownDevice() === 'zoned';

  return (
    <Page compact heading={t('plans.heading')}>
      {isBegun && <PlanDevice device={device} status={status} />}
      <InEveryPlan />
      <PlanList device={device} status={status} />
      {!isBegun && <PlanStart />}
      <GiftNote />
      <BeforePaying>
        <TicketNote question={t('before.refund')} />
      </BeforePaying>
    </Page>
  );
}
