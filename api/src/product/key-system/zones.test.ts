import { describe, expect, test } from 'vitest';
import { ANONYMOUS } from '#api/test/build-rows.ts';
import { matchZone, pickKey, pickRun, type ZoneClaimant } from './zones.ts';
import { isStartedBy } from './run-lifecycle.ts';

const ME = { ...ANONYMOUS, browser: { hmac: 'mine', since: 0 } };
const claim = (zoneHmac: string, by: ZoneClaimant['by'] = ME): ZoneClaimant => ({ zoneHmac, by });
const run = (zoneHmac: string, visitorHmac: string | null = 'theirs') => ({ zoneHmac, visitorHmac });

test('a run belongs to the browser with its cookie, and without a cookie to no browser', () => {
  expect(isStartedBy(run('zone', 'mine'), ME)).toBe(true);
  expect(isStartedBy(run('zone', 'theirs'), ME)).toBe(false);
  expect(isStartedBy(run('zone', null), ME)).toBe(false);
  expect(isStartedBy(run('zone', 'mine'), ANONYMOUS)).toBe(false);
  expect(isStartedBy(run('zone', null), ANONYMOUS)).toBe(false);
});

test.each([
  { run: run('zone'), brings: 'zone', match: 'same' },
  { run: run('zone'), brings: 'new', match: 'other' },
  { run: run('zone'), brings: '', match: 'other' },
  { run: run('zone', 'mine'), brings: 'new', match: 'moves' },
  { run: run('zone', 'mine'), brings: '', match: 'same' },
  { run: run(''), brings: 'new', match: 'same' },
  { run: run('', 'mine'), brings: 'new', match: 'same' },
])('for the run $run the zone "$brings" is a match: $match', ({ run: theRun, brings, match }) => {
  expect(matchZone(theRun, claim(brings))).toBe(match);
});

describe('several open runs', () => {
  const [newest, mine, ofMyZone, ofEveryZone] = [run('other'), run('far', 'mine'), run('zone'), run('')];

  test('pickRun prefers the run of the browser, then of the zone, then of every zone, then the newest', () => {
    expect(pickRun([newest, ofEveryZone, ofMyZone, mine], claim('zone'))).toBe(mine);
    expect(pickRun([newest, ofEveryZone, ofMyZone], claim('zone'))).toBe(ofMyZone);
    expect(pickRun([newest, ofEveryZone], claim('zone'))).toBe(ofEveryZone);
    expect(pickRun([newest, ofMyZone], claim('new'))).toBe(newest);
    expect(pickRun([], claim('zone'))).toBeUndefined();
  });
});

describe('several valid keys', () => {
  const [longest, mine, ofMyZone] = [run('other'), run('far', 'mine'), run('zone')];

  test('pickKey prefers a key of the zone, then of the browser, then the first', () => {
    expect(pickKey([longest, mine, ofMyZone], claim('zone'))).toEqual({ ...ofMyZone, zone: 'same' });
    expect(pickKey([longest, mine], claim('zone'))).toEqual({ ...mine, zone: 'moves' });
    expect(pickKey([longest, run('far')], claim('zone'))).toEqual({ ...longest, zone: 'other' });
    expect(pickKey([], claim('zone'))).toBeUndefined();
  });

  test('pickKey returns any key without a zone in the request, and matches a key without a run to every zone', () => {
    expect(pickKey([longest, mine], claim(''))).toEqual({ ...longest, zone: 'same' });
    expect(pickKey([longest, { zoneHmac: null, visitorHmac: null }], claim('zone'))).toMatchObject({
      zoneHmac: null,
      zone: 'same',
    });
  });
});
