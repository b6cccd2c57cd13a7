/** The paid plans. `mode` is a plan's number in API calls. Visitors see `priceCents` and pay it. Pages have texts for `benefits`. */
export const PLANS = [
  { id: 'basic', name: 'Basic', mode: 1, priceCents: 99, days: 7, benefits: ['adFree', 'support'] },
  { id: 'plus', name: 'Plus', mode: 2, priceCents: 299, days: 30, benefits: ['support'] },
  {
    id: 'premium',
    name: 'Premium',
    mode: 3,
    priceCents: 1499,
    days: 365,
    benefits: ['support', 'betaTester', 'earlyAccess'],
  },
] as const;
export type Plan = (typeof PLANS)[number];

/** Writes a price like the product specification: `0,99 €`. Its sign never begins a line. */
export function formatPrice(cents: number): string {
  const euros = Math.trunc(cents / 100);
  return `${euros},${String(cents % 100).padStart(2, '0')}\u00a0€`;
}
