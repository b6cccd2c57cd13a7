import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { DEFAULT_LIMITS, loadLimits, parseLimits } from './limits.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('a limit that is missing in the limits file has its default', () => {
  expect(parseLimits('{}')).toEqual(DEFAULT_LIMITS);
  expect(parseLimits('{"startsPerHour": 4, "strikes": {"short": {"from": 2}}}')).toEqual({
    ...DEFAULT_LIMITS,
    startsPerHour: 4,
    strikes: { ...DEFAULT_LIMITS.strikes, short: { ...DEFAULT_LIMITS.strikes.short, from: 2 } },
  });
});

test.each([
  { file: { startsPerHour: 0 }, said: 'startsPerHour must be a whole number from 1 to 1000000' },
  { file: { attemptsPerHour: -1 }, said: 'attemptsPerHour must be a whole number from 1' },
  { file: { attemptsPerHour: 2.5 }, said: 'attemptsPerHour must be a whole number from 1' },
  { file: { attemptsPerHour: '10' }, said: 'attemptsPerHour must be number' },
  { file: { ticketMs: 15 }, said: 'ticketMs must be a whole number from 1000 to 31536000000 (milliseconds)' },
  { file: { ticketMs: 0 }, said: 'ticketMs must be' },
  { file: { runMaxMs: 1e300 }, said: 'runMaxMs must be' },
  { file: { retentionDays: { audit: 0 } }, said: 'retentionDays.audit must be a whole number from 1' },
  { file: { strikes: { long: { waitMs: -5 } } }, said: 'strikes.long.waitMs must be' },
  { file: { startPerHour: 4 }, said: 'startPerHour is not known' },
  {
    file: { networkStartsPerHour: { soft: 50, hard: 40 } },
    said: 'networkStartsPerHour.soft must not be above networkStartsPerHour.hard',
  },
  { file: { ticketMs: 7_200_000 }, said: 'ticketMs must not be above runIdleMs' },
  { file: { runIdleMs: 36_000_000 }, said: 'runIdleMs must not be above runMaxMs' },
  { file: { strikes: { short: { from: 9 } } }, said: 'strikes.short.from must not be above strikes.long.from' },
  {
    file: { strikes: { short: { waitMs: 172_800_000 } } },
    said: 'strikes.short.waitMs must not be above strikes.long.waitMs',
  },
  { file: { liveAttemptsPerStep: 11 }, said: 'liveAttemptsPerStep must not be above attemptsPerHour' },
  { file: { attemptsPerHour: 101 }, said: 'attemptsPerHour must not be above attemptsOfAllPerHour' },
  { file: { renewalMs: 86_400_001 }, said: 'renewalMs must not be above the 24 hours of a key' },
  {
    file: { resetPauseMs: 31 * 86_400_000 },
    said: 'resetPauseMs must not be above the 30 days in which resets are counted',
  },
  {
    file: { retentionDays: { resetRequests: 29 } },
    said: 'the 30 days in which resets are counted must not be above retentionDays.resetRequests',
  },
  { file: { checkingMs: 3_000_000 }, said: 'checkingMs must not be above ticketMs' },
  {
    file: { strikes: { windowMs: 172_800_000 }, retentionDays: { strikes: 1 } },
    said: 'strikes.windowMs must not be above retentionDays.strikes',
  },
  {
    file: { runMaxMs: 172_800_000, retentionDays: { attempts: 1 } },
    said: 'runMaxMs must not be above retentionDays.attempts',
  },
  {
    file: { runMaxMs: 172_800_000, retentionDays: { runs: 1 } },
    said: 'runMaxMs must not be above retentionDays.runs',
  },
  {
    file: { captchaPassMs: 172_800_000 },
    said: 'captchaPassMs must not be above retentionDays.captchaPasses',
  },
])('a limits file with $file is rejected: $said', ({ file, said }) => {
  expect(() => parseLimits(JSON.stringify(file))).toThrow(said);
});

test('a limit may equal the limit that it must not exceed', () => {
  expect(() => parseLimits('{"ticketMs": 3600000, "captchaPassMs": 86400000, "attemptsPerHour": 100}')).not.toThrow();
});

test('without a limits file the defaults apply, and an invalid file is reported with its setting', () => {
  const file = `${makeFolder()}/limits.json`;
  expect(loadLimits({ LIMITS_FILE: undefined })).toEqual(DEFAULT_LIMITS);

  writeFileSync(file, '{"startsPerHour": 4}');
  expect(loadLimits({ LIMITS_FILE: file })).toEqual({ ...DEFAULT_LIMITS, startsPerHour: 4 });
  writeFileSync(file, '{"startsPerHour": 0}');
  expect(() => loadLimits({ LIMITS_FILE: file })).toThrow(`LIMITS_FILE: ${file}: startsPerHour must be`);
});

test('every invalid limit is reported, as is a limits file that is not JSON', () => {
  expect(() => parseLimits('{"startsPerHour": 0, "ticketMs": -1}')).toThrow(
    /ticketMs must be .*; startsPerHour must be /,
  );
  expect(() => parseLimits('{"ticketMs": 7200000, "liveAttemptsPerStep": 11}')).toThrow(
    'ticketMs must not be above runIdleMs; liveAttemptsPerStep must not be above attemptsPerHour',
  );
  expect(() => parseLimits('{"startsPerHour": 4')).toThrow('is not JSON');
});

test('the default limits are those of the product', () => {
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
    heldRequests: 2000,
    keyChecksPerMinute: 60,
    verdictsPerTenSeconds: 50,
    challengesPerMinute: 20,
    captchasPerMinute: 10,
    paymentsPerHour: 10,
    perAddress: { reads: 6000, captchas: 600, heldRequests: 100, payments: 60, readiness: 600, mails: 60 },
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
])('$name accepts $least and $most and rejects values outside', ({ name, least, most }) => {
  const parse = (value: number) => parseLimits(JSON.stringify({ [name]: value }));

  expect([parse(least), parse(most)]).toMatchObject([{ [name]: least }, { [name]: most }]);
  expect(() => parse(least - 1)).toThrow(`${name} must`);
  expect(() => parse(most + 1)).toThrow(`${name} must`);
});

test('the retention of rows is limited to between one day and a hundred years', () => {
  const parse = (orders: number) => parseLimits(JSON.stringify({ retentionDays: { orders } })).retentionDays.orders;

  expect([parse(1), parse(36_500)]).toEqual([1, 36_500]);
  expect(() => parse(0)).toThrow('retentionDays.orders must be a whole number from 1 to 36500 (days)');
  expect(() => parse(36_501)).toThrow('must be a whole number from 1 to 36500 (days)');
});

test('an unknown name is rejected in each part of the limits file', () => {
  for (const part of ['networkStartsPerHour', 'perAddress', 'strikes', 'retentionDays'])
    expect(() => parseLimits(JSON.stringify({ [part]: { sooft: 1 } }))).toThrow(`${part}.sooft is not known`);
  for (const part of ['short', 'long'])
    expect(() => parseLimits(JSON.stringify({ strikes: { [part]: { frm: 1 } } }))).toThrow('frm is not known');
});
