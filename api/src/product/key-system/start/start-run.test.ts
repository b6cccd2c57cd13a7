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
const HERE = { page: 'step', step: 1, advertiser: 'linkvertise' } as const;

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

  describe('while no run is open', () => {
    test('without a captcha pass leads to the page of step 1, with the chosen advertiser', async () => {
      const { startStep } = createFixture(db());
      const asked = { page: 'step', step: 1, begins: true, notice: 'KS_CAPTCHA' };

      expect(await startStep()).toEqual(page(asked));
      expect(await startStep({ step: 1, advertiser: 'rinku' })).toEqual(page({ ...asked, advertiser: 'rinku' }));
      expect(await runs()).toEqual([]);
    });

    test('threat 1: leads from a later step to the first, although a captcha was passed', async () => {
      const { startStep, passCaptcha } = createFixture(db());
      await passCaptcha();

      expect(await startStep({ step: 2 })).toEqual(page({ page: 'step', step: 1, begins: true }));
      expect(await runs()).toEqual([]);
    });

    test('opens one with the browser, network, zone and device of the request, and the default system', async () => {
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

    test('beyond the limit of runs in an hour tells until when', async () => {
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

    test('leads a blocked device to the bypass page, also if it was blocked after the snapshot', async () => {
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

  test('after three strikes leads their visitor alone to the bypass page, for 15 minutes', async () => {
    const { startStep, says, walkStep } = await begin();
    says.verdict = { verdict: 'refused' };
    for (let strikes = 0; strikes < 3; strikes++) await walkStep();

    expect(await startStep()).toEqual(page({ page: 'bypass', reason: 'KS_COOLDOWN' }));
    expect(await startStep({ by: STRANGER })).toMatchObject({ kind: 'advertiser' });
    says.time += 15 * 60_000;
    expect(await startStep()).toMatchObject({ kind: 'advertiser' });
  });

  test('opens no second run when another browser opened one after the snapshot', async () => {
    const { afterNext, passCaptcha, startStep } = createFixture(db());
    await passCaptcha();
    await passCaptcha(STRANGER);
    afterNext(SNAPSHOT, () => startStep());

    expect(await startStep({ by: STRANGER, visitor: NEW_ZONE })).toMatchObject({
      destination: { notice: 'KS_OTHER_ZONE' },
    });
    expect(await runs()).toHaveLength(1);
  });

  describe('while a run is open', () => {
    test('issues a ticket that is valid from the shortest stay on, for 15 minutes', async () => {
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

    test('threat 13: leads from another step to the run’s own', async () => {
      const { startStep, attempts } = await begin();

      expect(await startStep({ step: 2 })).toEqual(page(HERE));
      expect(await attempts()).toHaveLength(1);
      expect(await startStep({ step: 1 })).toMatchObject({ kind: 'advertiser' });
    });

    test('leads back to the step while the advertiser is down', async () => {
      const { startStep, says, attempts } = await begin();
      says.isDown = (id) => id === 'rinku';

      expect(await startStep({ advertiser: 'rinku' })).toEqual(
        page({ ...HERE, advertiser: 'rinku', notice: 'KS_PROVIDER_DOWN' }),
      );
      expect(await attempts()).toHaveLength(1);
    });

    test('leads back to the step when the advertiser gives no link, and ends the ticket', async () => {
      const { startStep, says, attempts } = await begin();
      says.givesLink = false;

      expect(await startStep()).toEqual(page({ ...HERE, notice: 'KS_PROVIDER_DOWN' }));
      expect((await attempts()).map(({ state }) => state).sort()).toEqual(['expired', 'issued']);
    });

    test('beyond the limit of tries in an hour tells until when', async () => {
      const { startStep } = await begin();
      for (let tries = 1; tries < 10; tries++) await startStep();

      expect(await startStep()).toEqual(page({ ...HERE, notice: 'KS_LIMIT', until: T0 + HOUR }));
    });

    test('leads to where the run stands when it has moved on meanwhile', async () => {
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

    describe('for another zone', () => {
      test('asks a stranger, who can go on with the run as it is', async () => {
        const { startStep } = await begin();
        const before = await runs();
        const request = { by: STRANGER, visitor: NEW_ZONE, advertiser: 'rinku' };

        for (const run of [undefined, 'stay'] as const)
          expect(await startStep({ ...request, run })).toEqual(
            page({ ...HERE, advertiser: 'rinku', notice: 'KS_OTHER_ZONE' }),
          );
        expect(await startStep({ ...request, run: 'keep' })).toMatchObject({ kind: 'advertiser' });
        expect(await runs()).toEqual(before);
      });

      test('asks at later steps as well', async () => {
        const { startStep } = await begin();
        await db().updateTable('run').set({ step: 2 }).execute();

        expect(await startStep({ step: 2, by: STRANGER, visitor: NEW_ZONE })).toEqual(
          page({ ...HERE, step: 2, notice: 'KS_OTHER_ZONE' }),
        );
        expect(await startStep({ step: 2 })).toMatchObject({ kind: 'advertiser' });
        expect(await startStep({ step: 2, run: 'new' })).toMatchObject({ kind: 'advertiser' });
      });

      test('moves the run of the same browser, except with "keep" and "stay"', async () => {
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

      test('begins another run for a stranger who wants one, for a captcha pass', async () => {
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
      'leads to the page of the key in %s, with and without an open run, until the plan ends',
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

    test('leads there during a cooldown, but not while the device is blocked', async () => {
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

    test('leads to the page of the key until it can be renewed', async () => {
      const { startStep, says } = await earnKey();
      const endsAt = T0 + DWELL_MS + DAY;

      expect(await startStep()).toEqual(GETKEY);
      expect(await startStep({ step: 3 })).toEqual(GETKEY);
      says.time = endsAt - 2 * HOUR - 1;
      expect(await startStep()).toEqual(GETKEY);
      says.time += 1;
      expect(await startStep()).toMatchObject({ destination: { begins: true } });
    });

    test('moves it to a new zone for the browser that earned it, except with "keep" and "stay"', async () => {
      const { startStep, keySystem } = await earnKey();
      const zone = async () => (await runs())[0]?.zoneHmac;

      for (const run of ['keep', 'stay'] as const) {
        expect(await startStep({ visitor: NEW_ZONE, run })).toEqual(GETKEY);
        expect(await zone()).toBe(keySystem.pseudonyms.zone('zone-1'));
      }
      expect(await startStep({ visitor: NEW_ZONE })).toEqual(GETKEY);
      expect(await zone()).toBe(keySystem.pseudonyms.zone('new'));
    });

    test('begins a run for a stranger with another zone, and for a client whose key was moved meanwhile', async () => {
      const { startStep, afterNext } = await earnKey();
      const beginning = { destination: { begins: true, notice: 'KS_CAPTCHA' } };

      expect(await startStep({ by: STRANGER, visitor: NEW_ZONE, run: 'keep' })).toMatchObject(beginning);
      expect(await startStep({ by: STRANGER, visitor: { ...VISITOR, zone: '' } })).toEqual(GETKEY);
      afterNext(SNAPSHOT, () => db().updateTable('run').set({ visitorHmac: 'another' }).execute());
      expect(await startStep({ by: OWNER, visitor: NEW_ZONE })).toMatchObject(beginning);
    });
  });
});
