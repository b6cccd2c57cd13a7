import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { DEFAULT_LIMITS, loadLimits, parseLimits } from './limits.ts';

test('a file names what differs, and the rest is as usual', () => {
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
])('$file is refused: $said', ({ file, said }) => {
  expect(() => parseLimits(JSON.stringify(file))).toThrow(said);
});

test('what must not be above another may be as large', () => {
  expect(() => parseLimits('{"ticketMs": 3600000, "captchaPassMs": 86400000, "attemptsPerHour": 100}')).not.toThrow();
});

test('without a file the limits are the usual ones; a file that is refused is named with its setting', () => {
  const file = `${makeFolder()}/limits.json`;
  expect(loadLimits({ LIMITS_FILE: undefined })).toEqual(DEFAULT_LIMITS);

  writeFileSync(file, '{"startsPerHour": 4}');
  expect(loadLimits({ LIMITS_FILE: file })).toEqual({ ...DEFAULT_LIMITS, startsPerHour: 4 });
  writeFileSync(file, '{"startsPerHour": 0}');
  expect(() => loadLimits({ LIMITS_FILE: file })).toThrow(`LIMITS_FILE: ${file}: startsPerHour must be`);
});

test('all that is wrong is named, and what is no JSON is called so', () => {
  expect(() => parseLimits('{"startsPerHour": 0, "ticketMs": -1}')).toThrow(
    /ticketMs must be .*; startsPerHour must be /,
  );
  expect(() => parseLimits('{"ticketMs": 7200000, "liveAttemptsPerStep": 11}')).toThrow(
    'ticketMs must not be above runIdleMs; liveAttemptsPerStep must not be above attemptsPerHour',
  );
  expect(() => parseLimits('{"startsPerHour": 4')).toThrow('is not JSON');
});
