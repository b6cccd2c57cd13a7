import { describe, expect, test } from 'vitest';
import type { DeviceRow, StrikeRow } from '#api/foundation/db/schema.ts';
import { ANONYMOUS, T0 } from '#api/test/build-rows.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { cooldownOf, isTraceOf, filterTraces, WEIGHTS } from './eligibility.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DEVICE: DeviceRow = {
  id: 'device',
  appId: 'main',
  hwidHmac: 'hwid',
  firstSeen: T0,
  lastSeen: T0,
  blockedUntil: null,
  blockReason: null,
};
const [NETWORK] = ANONYMOUS.networks;

function strike(changes: Partial<StrikeRow> = {}): StrikeRow {
  return {
    id: 'strike',
    deviceId: 'device',
    visitorHmac: 'browser',
    ipHmac: NETWORK,
    code: 'KS_PROOF',
    weight: 1,
    at: T0,
    ...changes,
  };
}

const browser = (hmac: string, since: number) => ({ ...ANONYMOUS, browser: { hmac, since } });
const cooldown = (strikes: StrikeRow[], by: ClientIdentity = browser('browser', T0 - HOUR), at = T0) =>
  cooldownOf(DEVICE, strikes, by, DEFAULT_LIMITS.strikes, at);

describe('cooldowns by weight of strikes', () => {
  test.each([
    { weight: 2, waitMs: 0 },
    { weight: 3, waitMs: 15 * MINUTE },
    { weight: 4, waitMs: 15 * MINUTE },
    { weight: 5, waitMs: 24 * HOUR },
    { weight: 9, waitMs: 24 * HOUR },
  ])('strikes with a total weight of $weight cause a cooldown of $waitMs ms', ({ weight, waitMs }) => {
    const strikes = Array.from({ length: weight }, () => strike());

    expect(cooldown(strikes)).toEqual(waitMs === 0 ? null : { until: T0 + waitMs, reason: 'KS_COOLDOWN' });
  });

  test('a reused proof weighs as much as two other strikes', () => {
    expect(WEIGHTS).toEqual({ KS_FAST: 1, KS_PROOF: 1, KS_REUSE: 2 });
  });

  test('a strike of weight 2 counts twice', () => {
    expect(cooldown([strike({ weight: 2 }), strike()])).not.toBeNull();
  });

  test('the cooldown counts from the last strike', () => {
    const strikes = [strike(), strike(), strike({ at: T0 + MINUTE })];

    expect(cooldown(strikes)).toEqual({ until: T0 + 16 * MINUTE, reason: 'KS_COOLDOWN' });
    expect(cooldown(strikes, undefined, T0 + 16 * MINUTE)).toBeNull();
  });

  test('a client without strikes has no cooldown', () => {
    expect(cooldown([])).toBeNull();
    expect(cooldownOf(undefined, [], ANONYMOUS, DEFAULT_LIMITS.strikes, T0)).toBeNull();
  });
});

describe('strikes by client', () => {
  const three = [strike(), strike(), strike()];

  test('threat 16: strikes of another client in the same network do not count against a browser with an older cookie', () => {
    expect(cooldown(three, browser('victim', T0 - HOUR))).toBeNull();
  });

  test('threat 16: strikes do not count against a client in another network', () => {
    const elsewhere = ['another network', 'another network yesterday'] as const;

    expect(cooldown(three, { browser: undefined, networks: elsewhere })).toBeNull();
    expect(cooldown(three, { browser: { hmac: 'victim', since: T0 + 1 }, networks: elsewhere })).toBeNull();
  });

  test('strikes of a network count against a client without a cookie, also under the network’s HMAC of yesterday', () => {
    expect(cooldown(three, ANONYMOUS)).not.toBeNull();
    expect(cooldown(three, { browser: undefined, networks: ['new name', NETWORK] })).not.toBeNull();
  });

  test('strikes of a network count against a browser with a newer cookie', () => {
    expect(cooldown(three, browser('fresh', T0 + MINUTE))).not.toBeNull();
  });

  test('strikes do not count against a browser whose cookie was set at the time of the first strike', () => {
    expect(cooldown(three, browser('victim', T0))).toBeNull();
  });

  test('strikes before and after the cookie was set count against its browser', () => {
    const spread = [strike(), strike({ at: T0 + 2 * MINUTE }), strike({ at: T0 + 3 * MINUTE })];

    expect(cooldown(spread, browser('fresh', T0 + MINUTE), T0 + 4 * MINUTE)).toEqual({
      until: T0 + 18 * MINUTE,
      reason: 'KS_COOLDOWN',
    });
  });

  test('strikes of a browser count in another network', () => {
    expect(
      filterTraces(three, { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['mobile', 'mobile yesterday'] }),
    ).toHaveLength(3);
  });

  test('a strike without browser and network counts against no client', () => {
    expect(filterTraces([strike({ visitorHmac: null, ipHmac: null })], ANONYMOUS)).toEqual([]);
  });
});

test('a client can be identified by its browser or its network', () => {
  const me = browser('mine', T0);
  const isMine = (visitorHmac: string | null, ipHmac: string | null, by: ClientIdentity = me) =>
    isTraceOf({ visitorHmac, ipHmac }, by);

  expect([isMine('mine', 'elsewhere'), isMine('theirs', NETWORK), isMine(null, NETWORK)]).toEqual([true, true, true]);
  expect([isMine('theirs', 'elsewhere'), isMine('theirs', null), isMine(null, null)]).toEqual([false, false, false]);
  expect([isMine('mine', null, ANONYMOUS), isMine(null, null, ANONYMOUS)]).toEqual([false, false]);
});

describe('blocks by an operator', () => {
  const blocked = (changes: Partial<DeviceRow>, at = T0) =>
    cooldownOf({ ...DEVICE, ...changes }, [], ANONYMOUS, DEFAULT_LIMITS.strikes, at);

  test('a block holds for every client, until its time or without end', () => {
    expect(blocked({ blockReason: 'abuse', blockedUntil: T0 + HOUR })).toEqual({
      until: T0 + HOUR,
      reason: 'KS_BLOCKED',
    });
    expect(blocked({ blockReason: 'abuse' })).toEqual({ until: null, reason: 'KS_BLOCKED' });
  });

  test('a block ends at its expiry', () => {
    expect(blocked({ blockReason: 'abuse', blockedUntil: T0 })).toBeNull();
  });
});
