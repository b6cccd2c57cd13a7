import { Page } from '@app/design-system/page';
import { useDevice } from '@app/platform';
import { TicketNote } from '../features/payment/ticket-note.tsx';
import { BeforePaying } from '../features/plans/before-paying.tsx';
import { PlanDevice } from '../features/plans/plan-device.tsx';
import { PlanList } from '../features/plans/plan-list.tsx';
import { usePlanStatus } from '../features/plans/use-plan-status.ts';
import { t } from '../features/plans/words.ts';

export function PlansPage() {
  const device = useDevice();
  const status = usePlanStatus(device);

  return (
    <Page heading={t('plans.heading')} lead={t('plans.lead')}>
      <PlanDevice device={device} status={status} />
      <PlanList device={device} status={status} />
      <BeforePaying>
        <TicketNote question={t('before.refund')} />
      </BeforePaying>
    </Page>
  );
}
