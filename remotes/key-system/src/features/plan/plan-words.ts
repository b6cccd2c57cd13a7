import { PLANS } from '@app/contracts/plans';
import { endOf } from '../../moment.ts';
import { t } from '../../words.ts';
import type { ToldPlan } from './use-running-plan.ts';

/** Says which plan a device has, and until when it runs. */
export function planWords({ plan, serverOffsetMs }: ToldPlan): string {
  const name = PLANS.find(({ id }) => id === plan.id)?.name ?? plan.id;
  return t('plan.runs', { plan: name, end: endOf(plan.until, serverOffsetMs) });
}
