import { describe, expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { SNAPSHOT } from '#api/test/databases/watch-statements.ts';
import { beginOrder, buildPaid, buildCheckout } from '#api/test/product/build-checkout.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, OWNER, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const STRANGER = clientOf('stranger', 'elsewhere');
const NEW_ZONE = { ...VISITOR, zone: 'new' };

describeEachDatabase('a step start', (db) => {
  const page = (destination: object) => ({ kind: 'destination', destination });
  const runs = () => db().selectFrom('run').selectAll().orderBy('createdAt').execute();

  /** A device whose owner has an open run. */
  async function begin() {
    const fixture = createFixture(db());
    await fixture.passCaptcha();
    return { ...fixture, ticket: await fixture.leave() };
  }

  /** A device whose owner has a key. */
  async function earnKey() {
    const fixture = await begin();
    await db().updateTable('run').set({ stepsRequired: 1 }).execute();
    await fixture.walkStep();
    return fixture;
  }

  describe('where no run is open', () => {
    test('asks for the captcha, on the page of the first step, and keeps the advertiser that was chosen', async () => {
      const { startStep } = createFixture(db());
      const asked = { page: 'step', step: 1, begins: true, notice: 'KS_CAPTCHA' };

      expect(await startStep()).toEqual(page(asked));
      expect(await startStep({ step: 1, advertiser: 'rinku' })).toEqual(page({ ...asked, advertiser: 'rinku' }));
      expect(await runs()).toEqual([]);
    });

    test('of a later step leads to the first, whatever captcha was passed', async () => {
      const { startStep, passCaptcha } = createFixture(db());
      await passCaptcha();

      expect(await startStep({ step: 2 })).toEqual(page({ page: 'step', step: 1, begins: true }));
      expect(await runs()).toEqual([]);
    });

    test('opens one for what the visitor brings, and the default system', async () => {
      const { startStep, passCaptcha, keySystem } = createFixture(db());
      await passCaptcha();
      await startStep({ appId: 'companion', os: undefined, step: 1 });

      const [run] = await runs();
      expect(run).toMatchObject({
        appId: 'companion',
        os: 'android',
        stepsRequired: 3,
        visitorHmac: 'owner',
        ipHmac: 'network',
        zoneHmac: keySystem.pseudonyms.zone('zone-1'),
      });
      expect(keySystem.subjectCipher.openZone(run?.id ?? '', run?.sealedZone ?? '')).toBe('zone-1');
      expect(keySystem.subjectCipher.open(run?.id ?? '', run?.sealedSubject ?? '')).toMatch(/^[\w-]{43}$/);
    });

    test('beyond the hour’s number says when one can go on', async () => {
      const { startStep, passCaptcha } = createFixture(db());
      for (let count = 0; count < 6; count++) {
        await passCaptcha();
        await startStep();
        await db().updateTable('run').set({ state: 'cancelled' }).execute();
      }

      expect(await startStep()).toEqual(
        page({ page: 'step', step: 1, begins: true, notice: 'KS_LIMIT', until: T0 + HOUR }),
      );
    });

    test('of a device that was blocked, also since it was looked at, leads to the page that says so', async () => {
      const { startStep, afterNext } = await begin();
      await db().updateTable('run').set({ state: 'blocked' }).execute();
      const setBlock = (blockReason: string | null) =>
        db()
          .updateTable('device')
          .set({ blockReason, blockedUntil: T0 + 1 })
          .execute();
      const blocked = page({ page: 'bypass', reason: 'KS_BLOCKED' });

      await setBlock('abuse');
      expect(await startStep()).toEqual(blocked);
      await setBlock(null);
      afterNext(SNAPSHOT, () => setBlock('abuse'));
      expect(await startStep()).toEqual(blocked);
    });
  });

  test('after three strikes leads to the page of the wait, and only their own visitor', async () => {
    const { startStep, says, walkStep } = await begin();
    says.verdict = { verdict: 'refused' };
    for (let strikes = 0; strikes < 3; strikes++) await walkStep();

    expect(await startStep()).toEqual(page({ page: 'bypass', reason: 'KS_COOLDOWN' }));
    expect(await startStep({ by: STRANGER })).toMatchObject({ kind: 'advertiser' });
    says.time += 15 * 60_000;
    expect(await startStep()).toMatchObject({ kind: 'advertiser' });
  });

  test('of a client that did not see the open run of another zone opens none beside it', async () => {
    const { afterNext, passCaptcha, startStep } = createFixture(db());
    await passCaptcha();
    await passCaptcha(STRANGER);
    afterNext(SNAPSHOT, () => startStep());

    expect(await startStep({ by: STRANGER, visitor: NEW_ZONE })).toMatchObject({
      destination: { notice: 'KS_OTHER_ZONE' },
    });
    expect(await runs()).toHaveLength(1);
  });

  describe('where there is a plan', () => {
    const GETKEY = page({ page: 'getkey' });

    /** Buys a plan for the device of a stage. */
    async function buyPlan({ keySystem: { pseudonyms } }: ReturnType<typeof createFixture>) {
      const checkout = { ...buildCheckout(db()).checkout, pseudonyms };
      await receivePaymentEvent(checkout, buildPaid(await beginOrder(checkout, VISITOR.hwid)));
    }

    test.each(['main', 'companion'] as const)(
      'leads to the page that says so in %s, with and without an open run, until the plan ends',
      async (appId) => {
        const fixture = createFixture(db());
        const { startStep, says, attempts } = fixture;
        await fixture.passCaptcha();
        await fixture.leave({ appId });
        await buyPlan(fixture);

        expect(await startStep({ appId })).toEqual(GETKEY);
        expect(await startStep({ appId, by: STRANGER, visitor: { ...VISITOR, zone: '' } })).toEqual(GETKEY);
        await db().updateTable('run').set({ state: 'cancelled' }).execute();
        await fixture.passCaptcha();
        expect(await startStep({ appId })).toEqual(GETKEY);
        says.time += 30 * DAY - 1;
        expect(await startStep({ appId })).toEqual(GETKEY);
        expect(await attempts()).toHaveLength(1);

        says.time += 1;
        await fixture.passCaptcha();
        expect(await startStep({ appId })).toMatchObject({ kind: 'advertiser' });
      },
    );

    test('leads there also while strikes ask for a wait, but not while the device is blocked', async () => {
      const fixture = await begin();
      const { startStep, says, walkStep } = fixture;
      says.verdict = { verdict: 'refused' };
      for (let strikes = 0; strikes < 3; strikes++) await walkStep();
      expect(await startStep()).toMatchObject({ destination: { reason: 'KS_COOLDOWN' } });

      await buyPlan(fixture);
      expect(await startStep()).toEqual(GETKEY);
      await db().updateTable('device').set({ blockReason: 'abuse', blockedUntil: null }).execute();
      expect(await startStep()).toMatchObject({ destination: { reason: 'KS_BLOCKED' } });
    });
  });

  describe('where there is a key', () => {
    const GETKEY = page({ page: 'getkey' });

    test('leads to it until it may be renewed', async () => {
      const { startStep, says } = await earnKey();
      const endsAt = T0 + DWELL_MS + DAY;

      expect(await startStep()).toEqual(GETKEY);
      expect(await startStep({ step: 3 })).toEqual(GETKEY);
      says.time = endsAt - 2 * HOUR - 1;
      expect(await startStep()).toEqual(GETKEY);
      says.time += 1;
      expect(await startStep()).toMatchObject({ destination: { begins: true } });
    });

    test('takes it along to a new zone for the browser that earned it, unless that wants it to stay', async () => {
      const { startStep, keySystem } = await earnKey();
      const zone = async () => (await runs())[0]?.zoneHmac;

      for (const run of ['keep', 'stay'] as const) {
        expect(await startStep({ visitor: NEW_ZONE, run })).toEqual(GETKEY);
        expect(await zone()).toBe(keySystem.pseudonyms.zone('zone-1'));
      }
      expect(await startStep({ visitor: NEW_ZONE })).toEqual(GETKEY);
      expect(await zone()).toBe(keySystem.pseudonyms.zone('new'));
    });

    test('begins a run for a stranger with another zone, and for a client that comes when the key went elsewhere', async () => {
      const { startStep, afterNext } = await earnKey();
      const beginning = { destination: { begins: true, notice: 'KS_CAPTCHA' } };

      expect(await startStep({ by: STRANGER, visitor: NEW_ZONE, run: 'keep' })).toMatchObject(beginning);
      expect(await startStep({ by: STRANGER, visitor: { ...VISITOR, zone: '' } })).toEqual(GETKEY);
      afterNext(SNAPSHOT, () => db().updateTable('run').set({ visitorHmac: 'another' }).execute());
      expect(await startStep({ by: OWNER, visitor: NEW_ZONE })).toMatchObject(beginning);
    });
  });
});
