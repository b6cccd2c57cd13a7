import type { SiteStatus } from '@app/contracts/status-schemas';
import { locale } from '@app/platform';

export type Day = SiteStatus['days'][number];

/** The share of a day from which on it looks good, and below which it looks bad. */
const [GOOD, BAD] = [0.999, 0.95];

export function gradeOf({ up, of }: Day): 'none' | 'good' | 'fair' | 'bad' {
  if (of === 0) return 'none';
  const share = up / of;
  return share >= GOOD ? 'good' : share >= BAD ? 'fair' : 'bad';
}

/** A share with two decimals, rounded down: less than all is never 100 %. */
export function exactShareOf(part: number, whole: number): string {
  const share = Math.floor((part / whole) * 10_000) / 10_000;
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(share);
}
