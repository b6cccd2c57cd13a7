import { describe, expect, test } from 'vitest';
import type { RunRow } from '#api/foundation/db/schema.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { hashTicket } from '#api/product/key-system/ticket.ts';

const HOUR = 60 * 60_000;
const STRANGER = clientOf('stranger', 'elsewhere');
const NEW_ZONE = { ...VISITOR, zone: 'new' };
const HERE = { page: 'step', step: 1, advertiser: 'linkvertise' } as const;

describeEachDatabase('a step start while a run is open', (db) => {
  const page = (destination: object) => ({ kind: 'destination', destination });
  const runs = () => db().selectFrom('run').selectAll().orderBy('createdAt').execute();

  /** A device whose owner has an open run. */
  async function begin() {
    const fixture = createFixture(db());
    await fixture.passCaptcha();
    return { ...fixture, ticket: await fixture.leave() };
  }

  test('mints a ticket for a visitor who is away for long enough and not for too long', async () => {
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

  test('of another step leads to where the run stands', async () => {
    const { startStep, attempts } = await begin();

    expect(await startStep({ step: 2 })).toEqual(page(HERE));
    expect(await attempts()).toHaveLength(1);
    expect(await startStep({ step: 1 })).toMatchObject({ kind: 'advertiser' });
  });

  test('to an advertiser that is down leads back to its step', async () => {
    const { startStep, says, attempts } = await begin();
    says.isDown = (id) => id === 'rinku';

    expect(await startStep({ advertiser: 'rinku' })).toEqual(
      page({ ...HERE, advertiser: 'rinku', notice: 'KS_PROVIDER_DOWN' }),
    );
    expect(await attempts()).toHaveLength(1);
  });

  test('to an advertiser that gives no link leads back to its step, and the ticket is void', async () => {
    const { startStep, says, attempts } = await begin();
    says.givesLink = false;

    expect(await startStep()).toEqual(page({ ...HERE, notice: 'KS_PROVIDER_DOWN' }));
    expect((await attempts()).map(({ state }) => state).sort()).toEqual(['expired', 'issued']);
  });

  test('beyond the hour’s tries says when one can go on', async () => {
    const { startStep } = await begin();
    for (let tries = 1; tries < 10; tries++) await startStep();

    expect(await startStep()).toEqual(page({ ...HERE, notice: 'KS_LIMIT', until: T0 + HOUR }));
  });

  test('that moves on meanwhile leads to where it stands', async () => {
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

    expect(await startStep({ advertiser: 'workink' })).toEqual(page({ page: 'step', step: 2, advertiser: 'workink' }));
    state = { state: 'completed' };
    expect(await startStep()).toEqual(page({ page: 'getkey' }));
  });

  describe('where the open run is for another zone', () => {
    test('asks a stranger, who may go on with it as it is', async () => {
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

    test('tells so at its later steps as well', async () => {
      const { startStep } = await begin();
      await db().updateTable('run').set({ step: 2 }).execute();

      expect(await startStep({ step: 2, by: STRANGER, visitor: NEW_ZONE })).toEqual(
        page({ ...HERE, step: 2, notice: 'KS_OTHER_ZONE' }),
      );
      expect(await startStep({ step: 2 })).toMatchObject({ kind: 'advertiser' });
      expect(await startStep({ step: 2, run: 'new' })).toMatchObject({ kind: 'advertiser' });
    });

    test('moves it for the browser that began it, unless that wants it to stay', async () => {
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

    test('begins another one for a stranger who wants it, at the usual price', async () => {
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
