import { describe, expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { beginOrder, buildPaid, buildTill } from '#api/test/product/build-till.ts';
import { SNAPSHOT } from '#api/test/databases/watch-statements.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createStage, DWELL_MS, OWNER, VISITOR } from '#api/test/product/key-system-stage.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const STRANGER = clientOf('stranger', 'elsewhere');
const NEW_ZONE = { ...VISITOR, zone: 'new' };

describeEachDatabase('a press of Complete', (db) => {
  const page = (destination: object) => ({ kind: 'destination', destination });
  const runs = () => db().selectFrom('run').selectAll().orderBy('createdAt').execute();

  /** A device whose owner has an open run. */
  async function begin() {
    const stage = createStage(db());
    await stage.passCaptcha();
    return { ...stage, ticket: await stage.leave() };
  }

  /** A device whose owner has a key. */
  async function earnKey() {
    const stage = await begin();
    await db().updateTable('run').set({ stepsRequired: 1 }).execute();
    await stage.walkStep();
    return stage;
  }

  describe('where no run is open', () => {
    test('asks for the captcha, on the page of the first step, and keeps the advertiser that was chosen', async () => {
      const { press } = createStage(db());
      const asked = { page: 'step', step: 1, begins: true, notice: 'KS_CAPTCHA' };

      expect(await press()).toEqual(page(asked));
      expect(await press({ step: 1, advertiser: 'rinku' })).toEqual(page({ ...asked, advertiser: 'rinku' }));
      expect(await runs()).toEqual([]);
    });

    test('of a later step leads to the first, whatever captcha was passed', async () => {
      const { press, passCaptcha } = createStage(db());
      await passCaptcha();

      expect(await press({ step: 2 })).toEqual(page({ page: 'step', step: 1, begins: true }));
      expect(await runs()).toEqual([]);
    });

    test('opens one for what the visitor brings, and the default system', async () => {
      const { press, passCaptcha, keySystem } = createStage(db());
      await passCaptcha();
      await press({ appId: 'companion', os: undefined, step: 1 });

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
      const { press, passCaptcha } = createStage(db());
      for (let count = 0; count < 6; count++) {
        await passCaptcha();
        await press();
        await db().updateTable('run').set({ state: 'cancelled' }).execute();
      }

      expect(await press()).toEqual(
        page({ page: 'step', step: 1, begins: true, notice: 'KS_LIMIT', until: T0 + HOUR }),
      );
    });

    test('of a device that was blocked, also since it was looked at, leads to the page that says so', async () => {
      const { press, afterNext } = await begin();
      await db().updateTable('run').set({ state: 'blocked' }).execute();
      const setBlock = (blockReason: string | null) =>
        db()
          .updateTable('device')
          .set({ blockReason, blockedUntil: T0 + 1 })
          .execute();
      const blocked = page({ page: 'bypass', reason: 'KS_BLOCKED', until: T0 + 1 });

      await setBlock('abuse');
      expect(await press()).toEqual(blocked);
      await setBlock(null);
      afterNext(SNAPSHOT, () => setBlock('abuse'));
      expect(await press()).toEqual(blocked);
    });
  });

  test('after three strikes leads to the page that says how long to wait, and only their own visitor', async () => {
    const { press, says, walkStep } = await begin();
    says.verdict = { verdict: 'refused' };
    for (let strikes = 0; strikes < 3; strikes++) await walkStep();

    expect(await press()).toEqual(page({ page: 'bypass', reason: 'KS_COOLDOWN', until: says.time + 15 * 60_000 }));
    expect(await press({ by: STRANGER })).toMatchObject({ kind: 'advertiser' });
    says.time += 15 * 60_000;
    expect(await press()).toMatchObject({ kind: 'advertiser' });
  });

  test('of somebody who did not see the open run of another zone opens none beside it', async () => {
    const { afterNext, passCaptcha, press } = createStage(db());
    await passCaptcha();
    await passCaptcha(STRANGER);
    afterNext(SNAPSHOT, () => press());

    expect(await press({ by: STRANGER, visitor: NEW_ZONE })).toMatchObject({
      destination: { notice: 'KS_OTHER_ZONE' },
    });
    expect(await runs()).toHaveLength(1);
  });

  describe('where there is a plan', () => {
    const GETKEY = page({ page: 'getkey' });

    /** Buys a plan for the device of a stage. */
    async function buyPlan({ keySystem: { pseudonyms } }: ReturnType<typeof createStage>) {
      const till = { ...buildTill(db()).till, pseudonyms };
      await receivePaymentEvent(till, buildPaid(await beginOrder(till, VISITOR.hwid)));
    }

    test.each(['main', 'companion'] as const)(
      'leads to the page that says so in %s, with and without an open run, until the plan ends',
      async (appId) => {
        const stage = createStage(db());
        const { press, says, attempts } = stage;
        await stage.passCaptcha();
        await stage.leave({ appId });
        await buyPlan(stage);

        expect(await press({ appId })).toEqual(GETKEY);
        expect(await press({ appId, by: STRANGER, visitor: { ...VISITOR, zone: '' } })).toEqual(GETKEY);
        await db().updateTable('run').set({ state: 'cancelled' }).execute();
        await stage.passCaptcha();
        expect(await press({ appId })).toEqual(GETKEY);
        says.time += 30 * DAY - 1;
        expect(await press({ appId })).toEqual(GETKEY);
        expect(await attempts()).toHaveLength(1);

        says.time += 1;
        await stage.passCaptcha();
        expect(await press({ appId })).toMatchObject({ kind: 'advertiser' });
      },
    );

    test('leads there also while strikes ask for a wait, but not while the device is blocked', async () => {
      const stage = await begin();
      const { press, says, walkStep } = stage;
      says.verdict = { verdict: 'refused' };
      for (let strikes = 0; strikes < 3; strikes++) await walkStep();
      expect(await press()).toMatchObject({ destination: { reason: 'KS_COOLDOWN' } });

      await buyPlan(stage);
      expect(await press()).toEqual(GETKEY);
      await db().updateTable('device').set({ blockReason: 'abuse', blockedUntil: null }).execute();
      expect(await press()).toMatchObject({ destination: { reason: 'KS_BLOCKED' } });
    });
  });

  describe('where there is a key', () => {
    const GETKEY = page({ page: 'getkey' });

    test('leads to it until it may be renewed', async () => {
      const { press, says } = await earnKey();
      const endsAt = T0 + DWELL_MS + DAY;

      expect(await press()).toEqual(GETKEY);
      expect(await press({ step: 3 })).toEqual(GETKEY);
      says.time = endsAt - 2 * HOUR - 1;
      expect(await press()).toEqual(GETKEY);
      says.time += 1;
      expect(await press()).toMatchObject({ destination: { begins: true } });
    });

    test('takes it along to a new zone for the browser that earned it, unless that wants it to stay', async () => {
      const { press, keySystem } = await earnKey();
      const zone = async () => (await runs())[0]?.zoneHmac;

      for (const run of ['keep', 'stay'] as const) {
        expect(await press({ visitor: NEW_ZONE, run })).toEqual(GETKEY);
        expect(await zone()).toBe(keySystem.pseudonyms.zone('zone-1'));
      }
      expect(await press({ visitor: NEW_ZONE })).toEqual(GETKEY);
      expect(await zone()).toBe(keySystem.pseudonyms.zone('new'));
    });

    test('begins a run for a stranger with another zone, and for whoever comes when the key went elsewhere', async () => {
      const { press, afterNext } = await earnKey();
      const beginning = { destination: { begins: true, notice: 'KS_CAPTCHA' } };

      expect(await press({ by: STRANGER, visitor: NEW_ZONE, run: 'keep' })).toMatchObject(beginning);
      expect(await press({ by: STRANGER, visitor: { ...VISITOR, zone: '' } })).toEqual(GETKEY);
      afterNext(SNAPSHOT, () => db().updateTable('run').set({ visitorHmac: 'another' }).execute());
      expect(await press({ by: OWNER, visitor: NEW_ZONE })).toMatchObject(beginning);
    });
  });
});
