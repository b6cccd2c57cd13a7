import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, parseLimits } from '#api/product/limits/limits.ts';
import { runExpiry } from './run-lifecycle.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** All defaults as numbers, so that every accidental change is noticed. */
test('a site that sets nothing has the numbers of the product', () => {
  expect(DEFAULT_LIMITS).toEqual({
    ticketMs: 15 * MINUTE,
    runIdleMs: HOUR,
    runMaxMs: 6 * HOUR,
    captchaPassMs: 5 * MINUTE,
    renewalMs: 2 * HOUR,
    checkingMs: MINUTE,
    advertiserFailures: 5,
    advertiserRestMs: 30_000,
    liveAttemptsPerStep: 3,
    attemptsPerHour: 10,
    attemptsOfAllPerHour: 100,
    startsPerHour: 6,
    networkStartsPerHour: { soft: 200, hard: 2000 },
    captchaCostFactor: 4,
    statesPerMinute: 30,
    keysPerMinute: 120,
    keyChecksPerMinute: 60,
    verdictsPerTenSeconds: 50,
    challengesPerMinute: 20,
    captchasPerMinute: 10,
    paymentsPerHour: 10,
    perAddress: { reads: 6000, captchas: 600, payments: 60, readiness: 600, mails: 60 },
    returnsPerMinute: 20,
    unknownReturnsPerMinute: 200,
    loadReportsPerMinute: 30,
    resetsPerDay: 3,
    resetPauseMs: 7 * DAY,
    resetsIn30Days: 3,
    devicesPerLicence: 2,
    strikes: { windowMs: DAY, short: { from: 3, waitMs: 15 * MINUTE }, long: { from: 5, waitMs: DAY } },
    retentionDays: {
      attempts: 30,
      runs: 90,
      keys: 30,
      strikes: 30,
      captchaPasses: 1,
      networks: 7,
      resetRequests: 31,
      mails: 30,
      webhookDeliveries: 30,
      webhookEvents: 30,
      loadReports: 30,
      unpaidOrders: 30,
      orders: 3650,
      audit: 365,
    },
  });
});

test.each([
  { name: 'startsPerHour', least: 1, most: 1_000_000 },
  { name: 'advertiserRestMs', least: 1000, most: 365 * DAY },
  { name: 'renewalMs', least: 0, most: DAY },
])('$name may be $least and $most, and nothing beyond', ({ name, least, most }) => {
  const parse = (value: number) => parseLimits(JSON.stringify({ [name]: value }));

  expect([parse(least), parse(most)]).toMatchObject([{ [name]: least }, { [name]: most }]);
  expect(() => parse(least - 1)).toThrow(`${name} must`);
  expect(() => parse(most + 1)).toThrow(`${name} must`);
});

test('what is counted is refused in whole numbers, without a unit', () => {
  expect(() => parseLimits('{"startsPerHour": 0}')).toThrow(/^startsPerHour must be a whole number from 1 to 1000000$/);
});

test('what is kept may be kept from one day to a hundred years', () => {
  const parse = (orders: number) => parseLimits(JSON.stringify({ retentionDays: { orders } })).retentionDays.orders;

  expect([parse(1), parse(36_500)]).toEqual([1, 36_500]);
  expect(() => parse(0)).toThrow('retentionDays.orders must be a whole number from 1 to 36500 (days)');
  expect(() => parse(36_501)).toThrow('must be a whole number from 1 to 36500 (days)');
});

test('within each part of the limits, too, an unknown name is refused', () => {
  for (const part of ['networkStartsPerHour', 'perAddress', 'strikes', 'retentionDays'])
    expect(() => parseLimits(JSON.stringify({ [part]: { sooft: 1 } }))).toThrow(`${part}.sooft is not known`);
  for (const part of ['short', 'long'])
    expect(() => parseLimits(JSON.stringify({ strikes: { [part]: { frm: 1 } } }))).toThrow('frm is not known');
});

test('a run ends when nothing has happened on it for long, and never later than it may at most', () => {
  const limits = { runIdleMs: 10, runMaxMs: 50 };

  expect([runExpiry(limits, 1000, 1000), runExpiry(limits, 1000, 1040), runExpiry(limits, 1000, 1041)]).toEqual([
    1010, 1050, 1050,
  ]);
});
