import { expect, test } from 'vitest';
import { activePlan, closeGap, durationOf, endedPlan, nextStart, type PeriodSpan } from './licence-periods.ts';

const DAY = 24 * 60 * 60 * 1000;

let ids = 0;
const period = (from: number, to: number, changes: Partial<PeriodSpan> = {}): PeriodSpan => ({
  id: `period-${String(ids++)}`,
  planId: 'plus',
  startsAt: from * DAY,
  endsAt: to * DAY,
  revokedAt: null,
  ...changes,
});
const revoked = { revokedAt: 1 };

test('a plan runs for its number of days', () => {
  expect([durationOf('basic'), durationOf('plus'), durationOf('premium')]).toEqual([7 * DAY, 30 * DAY, 365 * DAY]);
});

test.each([
  { when: 'nothing was bought', periods: [], plan: null },
  { when: 'it has ended', periods: [period(0, 10)], plan: null },
  { when: 'it has not begun', periods: [period(11, 20)], plan: null },
  { when: 'it was revoked', periods: [period(0, 30, revoked)], plan: null },
  { when: 'it runs', periods: [period(0, 30)], plan: { id: 'plus', until: 30 * DAY, renewable: false } },
  { when: 'it begins now', periods: [period(10, 20)], plan: { id: 'plus', until: 20 * DAY, renewable: true } },
  { when: 'another follows', periods: [period(30, 60), period(0, 30)], plan: { id: 'plus', until: 60 * DAY } },
  { when: 'there is a gap', periods: [period(0, 20), period(21, 40)], plan: { id: 'plus', until: 20 * DAY } },
  { when: 'the next period was revoked', periods: [period(0, 20), period(20, 40, revoked)], plan: { until: 20 * DAY } },
  {
    when: 'two run at once',
    periods: [period(0, 40, { planId: 'basic' }), period(0, 30, { planId: 'premium' })],
    plan: { id: 'premium', until: 40 * DAY },
  },
])('on the tenth day, when $when, the plan is $plan', ({ periods, plan }) => {
  if (plan) expect(activePlan(periods, 10 * DAY)).toMatchObject(plan);
  else expect(activePlan(periods, 10 * DAY)).toBeNull();
});

test.each([
  { left: 14 * DAY, renewable: true },
  { left: 14 * DAY + 1, renewable: false },
])('a plan with $left ms left is renewable: $renewable', ({ left, renewable }) => {
  expect(activePlan([{ ...period(0, 0), endsAt: left }], 0)).toMatchObject({ renewable });
});

test.each([
  { when: 'one has ended', periods: [period(0, 9)], ended: { id: 'plus', endedAt: 9 * DAY } },
  {
    when: 'two have ended',
    periods: [period(5, 10, { planId: 'basic' }), period(0, 5)],
    ended: { id: 'basic', endedAt: 10 * DAY },
  },
  { when: 'one runs', periods: [period(0, 9), period(9, 20)], ended: undefined },
  { when: 'one was revoked', periods: [period(0, 9, revoked)], ended: undefined },
  { when: 'none has begun', periods: [period(11, 20)], ended: undefined },
])('on the tenth day, when $when, the plan that has ended is $ended', ({ periods, ended }) => {
  expect(endedPlan(periods, 10 * DAY)).toEqual(ended);
});

test('a plan ends at the millisecond of its end', () => {
  expect(activePlan([period(0, 10)], 10 * DAY - 1)).not.toBeNull();
  expect(activePlan([period(0, 10)], 10 * DAY)).toBeNull();
});

test.each([
  { when: 'there is no earlier period', periods: [], start: 10 },
  { when: 'the last one is over', periods: [period(0, 9)], start: 10 },
  { when: 'one runs and one follows', periods: [period(0, 30), period(30, 60)], start: 60 },
  { when: 'the next period was revoked', periods: [period(0, 30), period(30, 60, revoked)], start: 30 },
])('a new period starts on day $start when $when', ({ periods, start }) => {
  expect(nextStart(periods, 10 * DAY)).toBe(start * DAY);
});

test('revoking the running period moves the following ones forward and keeps their length', () => {
  const [second, third] = [period(30, 60), period(60, 425)];

  expect(closeGap([third, period(0, 30, revoked), second], 10 * DAY)).toEqual([
    { id: second.id, startsAt: 10 * DAY, endsAt: 40 * DAY },
    { id: third.id, startsAt: 40 * DAY, endsAt: 405 * DAY },
  ]);
});

test('revoking a period in the middle moves only the following ones', () => {
  const last = period(60, 90);

  expect(closeGap([period(0, 30), period(30, 60, revoked), last], 10 * DAY)).toEqual([
    { id: last.id, startsAt: 30 * DAY, endsAt: 60 * DAY },
  ]);
});

test('revoking the last period or an ended one moves no other period', () => {
  expect(closeGap([period(0, 30), period(30, 60, revoked)], 10 * DAY)).toEqual([]);
  expect(closeGap([period(0, 5, revoked), period(5, 60)], 10 * DAY)).toEqual([]);
});
