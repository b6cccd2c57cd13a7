/** An app that has a key system. */
export type App = 'main' | 'companion';

/** How many steps a run of each app has. */
export const STEPS: Record<App, number> = { main: 6, companion: 3 };

/** The plans of the product's specification. Prices are in cents of a euro. */
export const PLANS = {
  basic: { mode: 1, cents: 99, days: 7 },
  plus: { mode: 2, cents: 299, days: 30 },
  premium: { mode: 3, cents: 1499, days: 365 },
} as const;

export type PlanId = keyof typeof PLANS;

export const PLAN_IDS = Object.keys(PLANS) as PlanId[];

export const DAY_MS = 24 * 60 * 60 * 1000;
