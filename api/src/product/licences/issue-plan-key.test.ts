import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createKeysService } from '#api/product/keys/keys.service.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';
import { T0 } from '#api/test/build-rows.ts';
import { beginOrder, buildPaid, buildCheckout } from '#api/test/product/build-checkout.ts';
import { describeEachDatabase, describeRace } from '#api/test/databases/describe-each-database.ts';
import { issuePlanKey } from './issue-plan-key.ts';
import { revokePeriod } from './licence-periods.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { createLicencesRepository } from './licences.repository.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const HWID = 'device-1234';
const OURS = readSigningKey(generateSigningKey('ours'));

/** A device with a Plus plan that was bought at `T0`. */
async function buyPlus(db: Db, whileSigning: () => Promise<unknown> = () => Promise.resolve()) {
  const { checkout, clock } = buildCheckout(db);
  const orderId = await beginOrder(checkout);
  await receivePaymentEvent(checkout, buildPaid(orderId));
  const { pseudonyms, now } = checkout;
  const keys = createKeysService({
    db,
    signingKey: OURS,
    pseudonyms,
    issuer: () => 'https://site.example',
    now,
  });

  const prepare: typeof keys.prepare = async (order) => {
    const key = await keys.prepare(order);
    await whileSigning();
    return key;
  };

  return {
    clock,
    issue: (app: 'main' | 'companion' = 'main', hwid = HWID) =>
      issuePlanKey({ db, keys: { prepare }, pseudonyms, now }, app, hwid),
    buyAgain: async (email = 'ada@example.com') => {
      const again = await beginOrder(checkout);
      await receivePaymentEvent(checkout, buildPaid(again, { email }));
      return again;
    },
    refund: (id = orderId) =>
      receivePaymentEvent(checkout, {
        id: `evt_refund_${id}`,
        type: 'charge.refunded',
        kind: 'reversed',
        paymentRef: `pi_${id}`,
        reason: 'refund',
      }),
  };
}

/** Waits until a statement of this database waits for a lock. */
async function untilOneWaits(db: Db): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows).not.toEqual([]);
}

const listKeys = (db: Db) => db.selectFrom('accessKey').select(['appId', 'revokedAt', 'expiresAt']).execute();

describeEachDatabase('keys of a plan', (db) => {
  test('a plan key is valid for a day, names the plan as its source, and is returned again for half of that time', async () => {
    const { issue, clock } = await buyPlus(db());

    const first = await issue();
    expect(first).toMatchObject({ expiresAt: T0 + DAY });
    expect(JSON.parse(Buffer.from(first?.jws.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      src: 'plan',
      aud: 'main',
      exp: (T0 + DAY) / 1000,
    });
    clock.at = T0 + 12 * HOUR;
    expect((await issue())?.jws).toBe(first?.jws);
    clock.at += 1000;
    expect((await issue())?.jws).not.toBe(first?.jws);
  });

  test('a blocked device does not receive its plan key', async () => {
    const { issue } = await buyPlus(db());
    const first = await issue();
    expect((await issue())?.jws).toBe(first?.jws);

    await db().updateTable('device').set({ blockReason: 'shares keys' }).execute();

    expect(await issue()).toBeUndefined();
  });

  test('each app gets a plan key of its own and another device none', async () => {
    const { issue } = await buyPlus(db());

    expect((await issue('companion'))?.jws).not.toBe((await issue('main'))?.jws);
    expect(await issue('main', 'another-device')).toBeUndefined();
    expect((await listKeys(db())).map(({ appId }) => appId).sort()).toEqual(['companion', 'main']);
  });

  test('a plan key expires with its plan at the latest, and an ended plan gives none', async () => {
    const { issue, clock } = await buyPlus(db());

    clock.at = T0 + 30 * DAY - HOUR;
    const last = await issue();
    expect(last).toMatchObject({ expiresAt: T0 + 30 * DAY });
    clock.at = T0 + 30 * DAY - 1000;
    expect((await issue())?.jws).toBe(last?.jws);
    clock.at = T0 + 30 * DAY;
    expect(await issue()).toBeUndefined();
  });

  test('refunding one of two payments revokes no key while the other period runs', async () => {
    const { issue, refund, buyAgain, clock } = await buyPlus(db());
    clock.at = T0 + 20 * DAY;
    await buyAgain();
    const key = await issue();

    await refund();

    expect((await listKeys(db())).map(({ revokedAt }) => revokedAt)).toEqual([null]);
    expect((await issue())?.jws).toBe(key?.jws);
  });

  test('a key covered by two licences is revoked with either of them unless the other covers its expiry', async () => {
    const { issue, buyAgain, refund, clock } = await buyPlus(db());
    clock.at = T0 + 29 * DAY;
    const second = await buyAgain('eve@example.com');
    clock.at = T0 + 29.5 * DAY;
    expect(await issue()).toMatchObject({ expiresAt: T0 + 30.5 * DAY });

    await refund(second);

    expect(await listKeys(db())).toMatchObject([{ revokedAt: clock.at }]);
    expect(await issue()).toMatchObject({ expiresAt: T0 + 30 * DAY });
    await refund();
    expect(await listKeys(db())).toMatchObject([{ revokedAt: clock.at }, { revokedAt: clock.at }]);
  });

  test('a plan shortened while its key is signed gives a key that expires with the plan', async () => {
    let second: string | undefined;
    const { issue, buyAgain, refund, clock } = await buyPlus(db(), async () => {
      if (second !== undefined) await refund(second);
      second = undefined;
    });
    clock.at = T0 + 29.5 * DAY;
    second = await buyAgain();

    expect(await issue()).toMatchObject({ expiresAt: T0 + 30 * DAY });
    expect(await listKeys(db())).toMatchObject([{ revokedAt: null, expiresAt: T0 + 30 * DAY }]);
  });

  test('a refund revokes every key of the plan', async () => {
    const { issue, refund } = await buyPlus(db());
    await issue('main');
    await issue('companion');

    await refund();

    expect((await listKeys(db())).map(({ revokedAt }) => revokedAt)).toEqual([T0, T0]);
    expect(await issue()).toBeUndefined();
  });
});

describeRace('simultaneous changes of a plan key', (db) => {
  test('issuing a key waits for a simultaneous refund of its second licence', async () => {
    const { issue, buyAgain, clock } = await buyPlus(db());
    clock.at = T0 + 29.5 * DAY;
    const orderId = await buyAgain('eve@example.com');
    const [isRevoked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const refunding = transact(db(), { keys: createKeysRepository, licences: createLicencesRepository }, async (tx) => {
      const period = await tx.licences.findPeriodOfOrder(orderId);
      if (period) await revokePeriod(tx, period, { reason: 'refund', at: clock.at });
      isRevoked.resolve();
      await mayCommit.promise;
    });
    await isRevoked.promise;
    const issuing = issue();
    await Promise.race([issuing, untilOneWaits(db())]);
    mayCommit.resolve();
    await refunding;

    expect(await issuing).toMatchObject({ expiresAt: T0 + 30 * DAY });
    expect(await listKeys(db())).toMatchObject([{ expiresAt: T0 + 30 * DAY }]);
  });

  test('a key issued during the refund of its payment is revoked', async () => {
    const { issue, refund } = await buyPlus(db());

    await Promise.all([
      ...Array.from({ length: 8 }, () => issue()),
      refund(),
      ...Array.from({ length: 8 }, () => issue()),
    ]);

    expect((await listKeys(db())).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });
});
