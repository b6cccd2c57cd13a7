import * as v from 'valibot';
import { activePlanSchema, PLAN_IDS } from './active-plan.ts';

/** The answer of `GET /api/plan-status?hwid`. */
export const planStatusSchema = v.object({ plan: v.nullable(activePlanSchema), now: v.number() });

export const ORDER_STATES = ['created', 'redirected', 'paid', 'failed', 'expired', 'refunded'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The answer of `GET /api/order-status?ref`, which the page after a payment asks until the order is settled. */
export const orderStatusSchema = v.object({
  state: v.picklist(ORDER_STATES),
  plan: v.picklist(PLAN_IDS),
  /** When the plan ends on the device of the order; null while it is not active. Epoch milliseconds. */
  activeUntil: v.nullable(v.number()),
  /** Whether the buyer's name may pass by as a toast, and whether a mail before the end is wanted. */
  showsName: v.boolean(),
  wantsReminder: v.boolean(),
  now: v.number(),
});
export type OrderStatus = v.InferOutput<typeof orderStatusSchema>;

/** The answer of `POST /api/redeem`. */
export const redeemedSchema = v.object({ plan: v.picklist(PLAN_IDS), until: v.number(), now: v.number() });

/** The form of the token in a link of a mail. It stands after the `#` of an address, which no server log contains. */
export const LINK_TOKEN_PATTERN = /^[\w-]{43}$/;

/** The answer of `POST /api/reset-details`: what a link would reset. Changes nothing. */
export const resetDetailsSchema = v.object({
  /** The plan's devices. Of each only the day is known when it was added. */
  devices: v.array(v.object({ boundAt: v.number() })),
  plan: activePlanSchema,
  /** When a reset is allowed next; null when it is allowed now. */
  nextAt: v.nullable(v.number()),
  expiresAt: v.number(),
  now: v.number(),
});

/** The answer of `POST /api/claim-details`: what a link would add. Changes nothing. */
export const claimDetailsSchema = v.object({
  device: v.string(),
  plan: activePlanSchema,
  /** How many more devices the plan can have, and how many in all. */
  freePlaces: v.number(),
  places: v.number(),
  isBound: v.boolean(),
  expiresAt: v.number(),
  now: v.number(),
});
/** The answer of `POST /api/confirm-claim`. */
export const claimedSchema = v.object({ plan: activePlanSchema, now: v.number() });
