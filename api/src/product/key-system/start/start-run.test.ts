import { describe, expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { SNAPSHOT } from '#api/test/databases/watch-statements.ts';
import { beginOrder, buildPaid, buildCheckout } from '#api/test/product/build-checkout.ts';
import type { RunRow } from '#api/foundation/db/schema.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, OWNER, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { hashTicket } from '#api/product/key-system/ticket.ts';
import { receivePaymentEvent } from '#api/product/payments/receive-payment-event.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const STRANGER = clientOf('stranger', 'elsewhere');
const NEW_ZONE = { ...VISITOR, zone: 'new' };
const SAME_STEP = { page: 'step', step: 1, advertiser: 'linkvertise' } as const;

describeEachDatabase('starting a step', (db) => {
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

  describe('without an open run', () => {
    test('a start without a captcha pass leads to the page of step 1 with the chosen advertiser', async () => {
      const { startStep } = createFixture(db());
      const asked = { page: 'step', step: 1, begins: true, notice: 'KS_CAPTCHA' };

      expect(await startStep()).toEqual(page(asked));
      expect(await startStep({ step: 1, advertiser: 'rinku' })).toEqual(page({ ...asked, advertiser: 'rinku' }));
      expect(await runs()).toEqual([]);
    });

    test('threat 1: a start of a later step leads to step 1, even with a captcha pass', async () => {
      const { startStep, passCaptcha } = createFixture(db());
      await passCaptcha();

      expect(await startStep({ step: 2 })).toEqual(page({ page: 'step', step: 1, begins: true }));
      expect(await runs()).toEqual([]);
    });

    test('a start opens a run with the browser, network, zone and device of the request and the default system', async () => {
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

    test('a start above the hourly limit of runs shows when the limit ends', async () => {
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

    test('a start of a blocked device leads to the bypass page, also when it was blocked after the snapshot', async () => {
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

  test('after three strikes a start of their visitor only leads to the bypass page for 15 minutes', async () => {
    const { startStep, says, walkStep } = await begin();
    says.verdict = { verdict: 'refused' };
    for (let strikes = 0; strikes < 3; strikes++) await walkStep();

    expect(await startStep()).toEqual(page({ page: 'bypass', reason: 'KS_COOLDOWN' }));
    expect(await startStep({ by: STRANGER })).toMatchObject({ kind: 'advertiser' });
    says.time += 15 * 60_000;
    expect(await startStep()).toMatchObject({ kind: 'advertiser' });
  });

  test('a start opens no second run when another browser opened one after the snapshot', async () => {
    const { afterNext, passCaptcha, startStep } = createFixture(db());
    await passCaptcha();
    await passCaptcha(STRANGER);
    afterNext(SNAPSHOT, () => startStep());

    expect(await startStep({ by: STRANGER, visitor: NEW_ZONE })).toMatchObject({
      destination: { notice: 'KS_OTHER_ZONE' },
    });
    expect(await runs()).toHaveLength(1);
  });

  describe('with an open run', () => {
    test('a start issues a ticket that is valid from the minimum time on for 15 minutes', async () => {
      const { attempts, seen, ticket } = await begin();

      const [attempt] = await attempts();
      expect(attempt).toMatchObject({
        step: 1,
        advertiserId: 'linkvertise',
        tokenHash: hashTicket(ticket),
        issuedAt: T0,
        notBefore: T0 + DWELL_MS,
        expiresAt: T0 + 15 * 60_000,
        visitorHmac: 'owner',
      });
      expect(seen.links).toEqual([
        {
          attemptId: attempt?.id,
          returnUrl: `https://site.example/api/keysystem/return/${ticket}`,
          link: 'https://panel.example/',
        },
      ]);
    });

    test('threat 13: a start of another step leads to the current step of the run', async () => {
      const { startStep, attempts } = await begin();

      expect(await startStep({ step: 2 })).toEqual(page(SAME_STEP));
      expect(await attempts()).toHaveLength(1);
      expect(await startStep({ step: 1 })).toMatchObject({ kind: 'advertiser' });
    });

    test('a start leads back to the step while the advertiser is unavailable', async () => {
      const { startStep, says, attempts } = await begin();
      says.isDown = (id) => id === 'rinku';

      expect(await startStep({ advertiser: 'rinku' })).toEqual(
        page({ ...SAME_STEP, advertiser: 'rinku', notice: 'KS_PROVIDER_DOWN' }),
      );
      expect(await attempts()).toHaveLength(1);
    });

    test('a start without a link of the advertiser leads back to the step and ends the ticket', async () => {
      const { startStep, says, attempts } = await begin();
      says.givesLink = false;

      expect(await startStep()).toEqual(page({ ...SAME_STEP, notice: 'KS_PROVIDER_DOWN' }));
      expect((await attempts()).map(({ state }) => state).sort()).toEqual(['expired', 'issued']);
    });

    test('a start above the hourly limit of attempts shows when the limit ends', async () => {
      const { startStep } = await begin();
      for (let tries = 1; tries < 10; tries++) await startStep();

      expect(await startStep()).toEqual(page({ ...SAME_STEP, notice: 'KS_LIMIT', until: T0 + HOUR }));
    });

    test('a start leads to the current step when the run has advanced in the meantime', async () => {
      const { startStep, keySystem } = await begin();
      const { advertisers } = keySystem;
      let state: Partial<RunRow> = { step: 2 };
      keySystem.advertisers = {
        ...advertisers,
        findStepRoute: async (...place) => {
          await db().updateTable('run').set(state).execute();
          return advertisers.findStepRoute(...place);
        },
      };

      expect(await startStep({ advertiser: 'workink' })).toEqual(
        page({ page: 'step', step: 2, advertiser: 'workink' }),
      );
      state = { state: 'completed' };
      expect(await startStep()).toEqual(page({ page: 'getkey' }));
    });

    describe('with another zone', () => {
      test('a start of another visitor asks whether to continue the open run unchanged', async () => {
        const { startStep } = await begin();
        const before = await runs();
        const request = { by: STRANGER, visitor: NEW_ZONE, advertiser: 'rinku' };

        for (const run of [undefined, 'stay'] as const)
          expect(await startStep({ ...request, run })).toEqual(
            page({ ...SAME_STEP, advertiser: 'rinku', notice: 'KS_OTHER_ZONE' }),
          );
        expect(await startStep({ ...request, run: 'keep' })).toMatchObject({ kind: 'advertiser' });
        expect(await runs()).toEqual(before);
      });

      test('a start of a later step in another zone asks as well', async () => {
        const { startStep } = await begin();
        await db().updateTable('run').set({ step: 2 }).execute();

        expect(await startStep({ step: 2, by: STRANGER, visitor: NEW_ZONE })).toEqual(
          page({ ...SAME_STEP, step: 2, notice: 'KS_OTHER_ZONE' }),
        );
        expect(await startStep({ step: 2 })).toMatchObject({ kind: 'advertiser' });
        expect(await startStep({ step: 2, run: 'new' })).toMatchObject({ kind: 'advertiser' });
      });

      test('a start moves the run of the same browser to the new zone, except with "keep" and "stay"', async () => {
        const { startStep, keySystem } = await begin();
        const [before] = await runs();

        for (const run of ['keep', 'stay'] as const) {
          await startStep({ visitor: NEW_ZONE, run });
          expect(await runs(), run).toEqual([before]);
        }
        for (const run of [undefined, 'new'] as const) {
          const zone = `zone of ${String(run)}`;
          await startStep({ visitor: { ...VISITOR, zone }, run });
          const [moved] = await runs();
          expect(moved?.zoneHmac).toBe(keySystem.pseudonyms.zone(zone));
          expect(keySystem.subjectCipher.openZone(moved?.id ?? '', moved?.sealedZone ?? '')).toBe(zone);
        }
      });

      test('a start of another visitor opens a new run when chosen, with a captcha pass', async () => {
        const { startStep, passCaptcha, says } = await begin();
        const request = { by: STRANGER, visitor: NEW_ZONE, run: 'new' as const };

        expect(await startStep(request)).toEqual(
          page({ page: 'step', step: 1, begins: true, run: 'new', notice: 'KS_CAPTCHA' }),
        );
        expect(await startStep({ ...request, step: 4 })).toEqual(
          page({ page: 'step', step: 1, begins: true, run: 'new' }),
        );
        await passCaptcha(STRANGER);
        says.time += 1;
        await passCaptcha(STRANGER);
        expect(await startStep(request)).toMatchObject({ kind: 'advertiser' });
        expect(await runs()).toMatchObject([{ visitorHmac: 'owner' }, { visitorHmac: 'stranger', state: 'open' }]);
      });
    });
  });

  describe('with a plan', () => {
    const GETKEY = page({ page: 'getkey' });

    /** Buys a plan for the device of a stage. */
    async function buyPlan({ keySystem: { pseudonyms } }: ReturnType<typeof createFixture>) {
      const checkout = { ...buildCheckout(db()).checkout, pseudonyms };
      await receivePaymentEvent(checkout, buildPaid(await beginOrder(checkout, VISITOR.hwid)));
    }

    test.each(['main', 'companion'] as const)(
      'a start with a plan leads to the key page in %s, with and without an open run, until the plan ends',
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

    test('a start with a plan leads to the key page during a cooldown, but not while the device is blocked', async () => {
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

  describe('with a key', () => {
    const GETKEY = page({ page: 'getkey' });

    test('a start with a key leads to the key page until the key can be renewed', async () => {
      const { startStep, says } = await earnKey();
      const endsAt = T0 + DWELL_MS + DAY;

      expect(await startStep()).toEqual(GETKEY);
      expect(await startStep({ step: 3 })).toEqual(GETKEY);
      says.time = endsAt - 2 * HOUR - 1;
      expect(await startStep()).toEqual(GETKEY);
      says.time += 1;
      expect(await startStep()).toMatchObject({ destination: { begins: true } });
    });

    test('a start moves the key to the new zone of the browser that earned it, except with "keep" and "stay"', async () => {
      const { startStep, keySystem } = await earnKey();
      const zone = async () => (await runs())[0]?.zoneHmac;

      for (const run of ['keep', 'stay'] as const) {
        expect(await startStep({ visitor: NEW_ZONE, run })).toEqual(GETKEY);
        expect(await zone()).toBe(keySystem.pseudonyms.zone('zone-1'));
      }
      expect(await startStep({ visitor: NEW_ZONE })).toEqual(GETKEY);
      expect(await zone()).toBe(keySystem.pseudonyms.zone('new'));
    });

    test('a run that a stranger has begun for another zone does not hide the key of the owner', async () => {
      const { startStep, passCaptcha } = await earnKey();
      await passCaptcha(STRANGER);
      expect(await startStep({ by: STRANGER, visitor: NEW_ZONE })).toMatchObject({ kind: 'advertiser' });

      expect(await startStep({ by: { ...OWNER, browser: undefined } })).toEqual(GETKEY);
    });

    test('a start opens a run for another visitor with another zone, and for a client whose key was moved in the meantime', async () => {
      const { startStep, afterNext } = await earnKey();
      const beginning = { destination: { begins: true, notice: 'KS_CAPTCHA' } };

      expect(await startStep({ by: STRANGER, visitor: NEW_ZONE, run: 'keep' })).toMatchObject(beginning);
      expect(await startStep({ by: STRANGER, visitor: { ...VISITOR, zone: '' } })).toEqual(GETKEY);
      afterNext(SNAPSHOT, () => db().updateTable('run').set({ visitorHmac: 'another' }).execute());
      expect(await startStep({ by: OWNER, visitor: NEW_ZONE })).toMatchObject(beginning);
    });
  });
});
