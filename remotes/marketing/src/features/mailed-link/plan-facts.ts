import type { ActivePlan } from '@app/contracts/active-plan';
import { PLANS } from '@app/contracts/plans';
import { dayOf } from '../../moments.ts';
import { t } from './words.ts';

/** The plan with this id. */
export function planOf(id: ActivePlan['id']) {
  return PLANS.find((plan) => plan.id === id) ?? PLANS[0];
}

/** What a plan is and until when, for a list of facts. */
export function planFacts({ id, until }: ActivePlan): { label: string; value: string }[] {
  return [
    { label: t('link.plan'), value: planOf(id).name },
    { label: t('link.until'), value: dayOf(until) },
  ];
}
