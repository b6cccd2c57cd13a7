import { Page } from '@app/design-system/page';
import { PlanDevice } from '../features/plans/plan-device.tsx';
import { PlanList } from '../features/plans/plan-list.tsx';
import { t } from '../features/plans/words.ts';

export function PlansPage() {
  return (
    <Page heading={t('plans.heading')} lead={t('plans.lead')}>
      <PlanDevice />
      <PlanList />
    </Page>
  );
}
