import type { ActivePlan } from '@app/contracts/active-plan';
import { PLANS } from '@app/contracts/plans';
import { momentOf } from '../../moment.ts';
import { t } from './words.ts';

/** A plan, and the server's clock minus this device's when the server told it, in milliseconds. */
export interface ToldPlan {
  plan: ActivePlan;
  serverOffsetMs: number;
}

/** Adds the difference of the clocks to an answer that has just come. */
export function told<Answer extends { now: number }>(answer: Answer): Answer & { serverOffsetMs: number } {
  return { ...answer, serverOffsetMs: answer.now - Date.now() };
}

/** What a plan is called, how many days one period of it has, and when the plan ends. */
export function describePlan({ plan, serverOffsetMs }: ToldPlan): {
  name: string;
  days: number;
  end: ReturnType<typeof momentOf>;
} {
  const { name, days } = PLANS.find(({ id }) => id === plan.id) ?? PLANS[0];
  return { name, days, end: momentOf(plan.until, serverOffsetMs) };
}

/** A plan and its end, for a list of facts. */
export function planFact(toldPlan: ToldPlan): { label: string; value: string } {
  const { name, end } = describePlan(toldPlan);
  return { label: t('link.plan'), value: t('link.until', { plan: name, day: end.day }) };
}
