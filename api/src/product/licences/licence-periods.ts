import { PLAN_RENEWAL_MS, type ActivePlan } from '@app/contracts/active-plan';
import { PLANS } from '@app/contracts/plans';
import type { PeriodRow } from '#api/foundation/db/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The part of a period that says what it covers. */
export type Covered = Pick<PeriodRow, 'id' | 'planId' | 'startsAt' | 'endsAt' | 'revokedAt'>;

/** How long one period of a plan is, in milliseconds. */
export function lengthOf(planId: PeriodRow['planId']): number {
  return (PLANS.find(({ id }) => id === planId)?.days ?? 0) * DAY_MS;
}

/** When a new period of a licence begins: when the last one ends, or now. Periods of one licence leave no gap. */
export function nextStart(periods: readonly Covered[], at: number): number {
  return activePlan(periods, at)?.until ?? at;
}

/**
 * The plan that periods give at a moment, up to the end of the last period without a gap before it.
 * @returns null when none of them covers the moment
 */
export function activePlan(periods: readonly Covered[], at: number): ActivePlan | null {
  const ahead = live(periods)
    .filter(({ endsAt }) => endsAt > at)
    .sort((one, other) => one.startsAt - other.startsAt);
  const current = ahead.filter(({ startsAt }) => startsAt <= at);
  const best = PLANS.findLast(({ id }) => current.some(({ planId }) => planId === id));
  if (!best) return null;

  const until = ahead.reduce((end, { startsAt, endsAt }) => (startsAt <= end ? Math.max(end, endsAt) : end), at);
  return { id: best.id, until, renewable: until - at <= PLAN_RENEWAL_MS };
}

/**
 * After a period was revoked: moves the later ones forward, so that what was paid for leaves no gap.
 * @returns the periods that move, with their new times
 */
export function closeGap(periods: readonly Covered[], at: number): Pick<Covered, 'id' | 'startsAt' | 'endsAt'>[] {
  const sorted = live(periods)
    .filter(({ endsAt }) => endsAt > at)
    .sort((one, other) => one.startsAt - other.startsAt);

  let free = at;
  return sorted.flatMap(({ id, startsAt, endsAt }) => {
    const begin = startsAt <= at ? startsAt : Math.min(startsAt, free);
    const end = begin + (endsAt - startsAt);
    free = Math.max(free, end);
    return begin === startsAt ? [] : [{ id, startsAt: begin, endsAt: end }];
  });
}

function live<Period extends Covered>(periods: readonly Period[]): Period[] {
  return periods.filter(({ revokedAt }) => revokedAt === null);
}
