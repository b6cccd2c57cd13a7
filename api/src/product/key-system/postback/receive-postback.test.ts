import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createFixture, DWELL_MS } from '#api/test/product/key-system-fixture.ts';
import { type Postback, receivePostback } from './receive-postback.ts';

const QUARTER_MS = 15 * 60_000;

describeEachDatabase('a postback', (db) => {
  /** A visitor who has been away at an advertiser for this long, and the postback for their attempt. */
  async function leave(awayMs = DWELL_MS, advertiser = 'lootlabs') {
    const fixture = createFixture(db());
    await fixture.passCaptcha();
    const ticket = await fixture.leave({ advertiser });
    fixture.says.time += awayMs;
    const clickId = fixture.seen.links[0]?.attemptId ?? '';
    const call = (changes: Partial<Postback> = {}) =>
      receivePostback(fixture.keySystem, { clickId, uniqueId: 'task', ...changes });
    const step = async () => (await fixture.run()).step;
    return { ...fixture, ticket, call, step };
  }

  test('threat 10, threat 11: a postback credits the step once without a visit and uses up its task', async () => {
    const { call, step, attempts } = await leave();

    await call();
    await call();
    await call({ uniqueId: 'another task' });
    expect(await step()).toBe(2);
    expect(await attempts()).toMatchObject([
      { state: 'verified', postbackAt: T0 + DWELL_MS, verifiedAt: T0 + DWELL_MS, providerRef: 'task' },
    ]);
  });

  test('threat 10: a postback for an unknown attempt is rejected and changes nothing', async () => {
    const { call, step, attempts } = await leave();

    await expect(call({ clickId: 'unknown' })).rejects.toMatchObject({ code: 'KS_TICKET' });
    expect([await step(), await attempts()]).toMatchObject([1, [{ state: 'issued', postbackAt: null }]]);
  });

  test('threat 10: a postback for an attempt at another advertiser is rejected', async () => {
    const { call, attempts } = await leave(DWELL_MS, 'linkvertise');

    await expect(call()).rejects.toMatchObject({ code: 'KS_TICKET' });
    expect(await attempts()).toMatchObject([{ postbackAt: null }]);
  });

  test('threat 11: a postback before the minimum time is stored, and credited when the visitor returns', async () => {
    const { call, step, says, seen, comeBack, ticket } = await leave(DWELL_MS - 1);

    await call();
    expect(await step()).toBe(1);
    says.time += 1;
    await comeBack(ticket);
    expect([await step(), seen.asked]).toEqual([2, []]);
  });

  test.each([
    { awayMs: QUARTER_MS - 1, postbackAt: T0 + QUARTER_MS - 1 },
    { awayMs: QUARTER_MS, postbackAt: null },
  ])('threat 10: a postback $awayMs ms after the start is stored at $postbackAt', async ({ awayMs, postbackAt }) => {
    const { call, attempts } = await leave(awayMs);

    await call();
    expect(await attempts()).toMatchObject([{ postbackAt }]);
  });

  test('a postback during the check of the return is stored for that return only', async () => {
    const { call, step, attempts } = await leave();
    await db().updateTable('stepAttempt').set({ state: 'checking' }).execute();

    await call();
    expect(await step()).toBe(1);
    expect(await attempts()).toMatchObject([{ state: 'checking', postbackAt: T0 + DWELL_MS, providerRef: 'task' }]);
  });

  test('a stored postback without a credit is credited when it is repeated with the same task only', async () => {
    const { call, step } = await leave();
    await db().updateTable('stepAttempt').set({ postbackAt: T0, providerRef: 'task' }).execute();

    await call({ uniqueId: 'another task' });
    expect(await step()).toBe(1);
    await call();
    expect(await step()).toBe(2);
  });

  test('a postback that is stored while its credit fails is rejected and credited later', async () => {
    const { keySystem, call, step, seen, failNext } = await leave();
    const busy = new DatabaseUnavailable('busy');
    const credit = /update "run" set "step"/;
    failNext(credit, busy);

    await expect(call()).rejects.toBe(busy);
    expect(seen.later).toMatchObject([{ until: keySystem.now() + keySystem.limits.runMaxMs, reason: busy }]);
    failNext(credit, new Error('no such table'));
    await expect(call()).rejects.toThrow('no such table');
    expect([await step(), seen.later.length]).toEqual([1, 1]);
    await seen.later[0]?.write();
    expect(await step()).toBe(2);
  });
});
