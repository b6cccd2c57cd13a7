import { KEY_VALID_HOURS, STEPS_PER_SERIES } from './key-system.ts';

/**
 * The paid plans. `mode` is a plan's number in API calls. Visitors see `priceCents` and pay it. Pages have texts for
 * `benefits`. Ads come with key steps alone, so each plan is ad-free.
 */
export const PLANS = [
  { id: 'basic', name: 'Basic', mode: 1, priceCents: 99, days: 7, benefits: ['adFree', 'support'] },
  { id: 'plus', name: 'Plus', mode: 2, priceCents: 299, days: 30, benefits: ['adFree', 'support'] },
  {
    id: 'premium',
    name: 'Premium',
    mode: 3,
    priceCents: 1499,
    days: 365,
    benefits: ['adFree', 'support', 'betaTester', 'earlyAccess'],
  },
] as const;
export type Plan = (typeof PLANS)[number];

/** What a key of the main app takes: its steps, of one to two minutes each, and how long they usually take together. */
export const FREE_KEY = { steps: 2 * STEPS_PER_SERIES, minutes: 8 };

/** What a plan saves a player who would get a free key each time that one ends. */
export function countSavings({ days }: Plan): { steps: number; hours: number } {
  const keys = (days * 24) / KEY_VALID_HOURS;
  return { steps: keys * FREE_KEY.steps, hours: Math.round((keys * FREE_KEY.minutes) / 60) };
}

/** Writes a price like the product specification: `0,99 €`. Its sign never begins a line. */
export function formatPrice(cents: number): string {
  const euros = Math.trunc(cents / 100);
  return `${euros},${String(cents % 100).padStart(2, '0')}\u00a0€`;
}
