import { Page } from '@app/design-system/page';
import { AskWindow } from '../ask-window.tsx';
import { PlanList } from '../features/plans/plan-list.tsx';
import { t } from '../features/plans/words.ts';

export function PlansPage() {
  return (
    <Page heading={t('plans.heading')} lead={t('plans.lead')}>
      <PlanList />
      <AskWindow />
    </Page>
  );
}
