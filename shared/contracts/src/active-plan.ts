import * as v from 'valibot';
import { PLANS } from './plans.ts';

const [BASIC, PLUS, PREMIUM] = PLANS;
export const PLAN_IDS = [BASIC.id, PLUS.id, PREMIUM.id] as const;
export type PlanId = (typeof PLAN_IDS)[number];

/** A plan can be renewed when it ends in no more than this, and for so long after its end a device is told of it. */
export const PLAN_RENEWAL_MS = 14 * 24 * 60 * 60 * 1000;

/** The plan that a device has now. All times are in epoch milliseconds. */
export const activePlanSchema = v.object({
  id: v.picklist(PLAN_IDS),
  /** When the plan ends, with every period that has been paid. */
  until: v.number(),
  renewable: v.boolean(),
});
export type ActivePlan = v.InferOutput<typeof activePlanSchema>;
