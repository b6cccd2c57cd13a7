import { describe, expect, test } from 'vitest';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import type { AttemptState } from '#api/foundation/db/schema.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { clientOf, createFixture, DWELL_MS, navigateTo, OWNER, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { createTicket, hashTicket } from '#api/product/key-system/ticket.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR = 60 * 60_000;
const HERE = { page: 'step', step: 1, advertiser: 'linkvertise' } as const;
const NEXT = { page: 'step', step: 2, advertiser: 'linkvertise' } as const;
/** The statement that claims a ticket. */
const CLAIM = /"claimed_by" = .* where "state" in/;
const BUSY = new DatabaseUnavailable('busy');

describeEachDatabase('returning', (db) => {
  const leave = (awayMs?: number, advertiser?: string) => navigateTo(db(), awayMs, advertiser);

  test('leads to the next step once the advertiser confirms the proof, with the device and zone of the ticket', async () => {
    const { comeBack, says, seen, attempts } = await leave();

    expect(await comeBack()).toEqual({ kind: 'destination', appId: 'main', visitor: VISITOR, destination: NEXT });
    expect(seen.asked).toEqual(['linkvertise']);
    expect(await attempts()).toMatchObject([{ state: 'verified', returnedAt: says.time }]);
    expect(await comeBack()).toMatchObject({ destination: NEXT });
    expect(seen.asked).toHaveLength(1);
  });

  test('threat 3: from an advertiser that need not be asked is credited without a claim, and once of several', async () => {
    const { comeBack, says, seen, attempts, failNext, strikes } = await leave(undefined, 'rinku');
    failNext(CLAIM, new Error('nothing is claimed'));

    const outcomes = await Promise.all([comeBack(), comeBack(), comeBack()]);

    for (const outcome of outcomes) expect(outcome).toMatchObject({ destination: { page: 'step', step: 2 } });
    expect(seen.asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'verified', returnedAt: says.time, verifiedAt: says.time }]);
    expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 2 }]);
    expect(await strikes()).toEqual([]);
  });

  test('changes nothing while the database is busy, and is credited by the next request', async () => {
    const { comeBack, seen, attempts, failNext } = await leave(undefined, 'rinku');
    failNext(/UPDATE run SET step/, BUSY);

    await expect(comeBack()).rejects.toBe(BUSY);
    expect(seen.later).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 2 } });
  });

  test('threat 4: is claimed at the last step, so that one key is signed, and kept while it cannot be', async () => {
    const { comeBack, says, attempts } = await leave(undefined, 'rinku');
    await db().updateTable('run').set({ stepsRequired: 1 }).execute();
    says.signs = false;

    await expect(comeBack()).rejects.toThrow('The fixture has no signer.');
    expect(await attempts()).toMatchObject([{ state: 'issued', claimedBy: 'fixture', proofAt: says.time }]);
    says.signs = true;
    expect(await comeBack()).toMatchObject({ destination: { page: 'getkey' } });
  });

  test('credits nothing when the attempt was rejected after it was read', async () => {
    const { afterNext, comeBack } = await leave(undefined, 'rinku');
    afterNext(/FROM step_attempt JOIN run/, () => db().updateTable('stepAttempt').set({ state: 'rejected' }).execute());

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 1 } });
    expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
  });

  test('with an unknown ticket finds nothing, and does not look up what is no ticket', async () => {
    const { comeBack, failNext } = createFixture(db());

    expect(await comeBack(createTicket())).toEqual({ kind: 'unknown' });
    failNext(/step_attempt/, new Error('what is no ticket is not looked up'));
    expect(await comeBack('no ticket')).toEqual({ kind: 'unknown' });
  });

  describe('without a proof', () => {
    test.each([
      { isDown: false, notice: 'KS_UNFINISHED' },
      { isDown: true, notice: 'KS_PROVIDER_DOWN' },
    ])('threat 2: claims nothing and tells $notice where isDown is $isDown', async ({ isDown, notice }) => {
      const { comeBack, says, seen, attempts } = await leave();
      says.bringsProof = false;
      says.isDown = () => isDown;

      expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice } });
      expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
      expect(seen.asked).toEqual([]);
    });

    test('leads to where the run stands when ticket, run or step are over', async () => {
      const { comeBack, says } = await leave(QUARTER_MS - 1);
      says.bringsProof = false;
      expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice: 'KS_UNFINISHED' } });

      await db().updateTable('run').set({ step: 2 }).execute();
      expect(await comeBack()).toMatchObject({ destination: { ...NEXT, notice: 'KS_STEP' } });
      await db().updateTable('run').set({ step: 1, expiresAt: says.time }).execute();
      expect(await comeBack()).toMatchObject({ destination: { begins: true, notice: 'KS_EXPIRED' } });
      await db()
        .updateTable('run')
        .set({ expiresAt: says.time + HOUR })
        .execute();
      says.time += 1;
      expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice: 'KS_EXPIRED' } });
    });
  });

  test('a second tab finishes the step while the first one’s advertiser gives no answer: the first goes on, with its proof or without', async () => {
    const { passCaptcha, leave: leaveIn, comeBack, says, attempts } = createFixture(db());
    await passCaptcha();
    const first = await leaveIn();
    says.time += DWELL_MS;
    const second = await leaveIn();
    says.time += DWELL_MS;
    says.meanwhile = async () => {
      says.meanwhile = () => Promise.resolve();
      expect(await comeBack(second)).toMatchObject({ destination: NEXT });
      says.verdict = { verdict: 'unavailable', proofSpent: false };
    };
    await comeBack(first);
    expect(await attempts()).toMatchObject([{ state: 'issued' }, { state: 'verified' }]);

    says.bringsProof = false;
    expect(await comeBack(first)).toMatchObject({ destination: { ...NEXT, notice: 'KS_STEP' } });
    says.bringsProof = true;
    says.verdict = { verdict: 'confirmed', ref: null };
    expect(await comeBack(first)).toMatchObject({ destination: NEXT });
  });

  describe('with the advertiser’s verdict', () => {
    test('a refusal adds a strike and ends the ticket', async () => {
      const { comeBack, says, strikes, attempts } = await leave();
      says.verdict = { verdict: 'refused' };

      expect(await comeBack()).toMatchObject({ destination: { page: 'bypass', reason: 'KS_PROOF' } });
      expect(await strikes()).toEqual([{ code: 'KS_PROOF', at: T0 + DWELL_MS, visitorHmac: 'owner' }]);
      expect(await attempts()).toMatchObject([{ state: 'rejected', reason: 'KS_PROOF' }]);
    });

    test.each([
      { proofSpent: false, attempt: { state: 'issued', reason: null } },
      { proofSpent: true, attempt: { state: 'expired', reason: 'KS_PROVIDER_DOWN' } },
    ])(
      'threat 12: no verdict adds no strike, and keeps the ticket unless the proof may be spent: $proofSpent',
      async ({ proofSpent, attempt }) => {
        const { comeBack, says, strikes, attempts } = await leave();
        says.verdict = { verdict: 'unavailable', proofSpent };

        expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice: 'KS_PROVIDER_DOWN' } });
        expect(await attempts()).toMatchObject([attempt]);
        expect(await strikes()).toEqual([]);
      },
    );

    test('threat 11: an awaited postback keeps the visitor on the step’s page until it comes', async () => {
      const { comeBack, says, seen } = await leave();
      says.verdict = { verdict: 'awaited' };

      for (const time of ['first', 'again'])
        expect(await comeBack(), time).toMatchObject({ destination: { ...HERE, wait: true } });
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();
      expect(await comeBack()).toMatchObject({ destination: NEXT });
      expect(seen.asked).toHaveLength(1);
    });

    test('an awaited postback that is stored after its run ended credits nothing', async () => {
      const { comeBack, says } = await leave();
      says.verdict = { verdict: 'awaited' };
      await comeBack();
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();
      await db().updateTable('run').set({ state: 'cancelled' }).execute();

      expect(await comeBack()).toMatchObject({ destination: { begins: true } });
      expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
    });

    test.each([
      { meanwhile: { postbackAt: T0, providerRef: 'task' }, leadsTo: { destination: NEXT } },
      { meanwhile: { state: 'issued' as const }, leadsTo: { kind: 'wait', waitMs: 3000 } },
      { meanwhile: { state: 'issued' as const, postbackAt: T0 }, leadsTo: { kind: 'wait', waitMs: 3000 } },
    ])('an awaited postback is read again after $meanwhile', async ({ meanwhile, leadsTo }) => {
      const { comeBack, says } = await leave();
      says.verdict = { verdict: 'awaited' };
      says.meanwhile = () => db().updateTable('stepAttempt').set(meanwhile).execute();

      expect(await comeBack()).toMatchObject(leadsTo);
    });

    test('an awaited postback is not assumed when another return has claimed the ticket', async () => {
      const { afterNext, says, comeBack } = await leave();
      const setState = (state: AttemptState) => db().updateTable('stepAttempt').set({ state }).execute();
      says.verdict = { verdict: 'awaited' };
      says.meanwhile = () => setState('issued');
      afterNext(/set "state" = .* where "state" in .* and "postback_at" is null/, () => setState('checking'));

      expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 3000 });
    });

    test('threat 11: a stored postback is credited without asking', async () => {
      const { comeBack, says, seen } = await leave();
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();

      expect(await comeBack()).toMatchObject({ destination: NEXT });
      expect(seen.asked).toEqual([]);
    });

    test('a postback stored after the ticket was read keeps its reference while no key can be signed', async () => {
      const { comeBack, says, attempts, afterNext } = await leave();
      await db().updateTable('run').set({ stepsRequired: 1 }).execute();
      afterNext(/FROM step_attempt JOIN run/, () =>
        db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute(),
      );
      says.signs = false;

      await expect(comeBack()).rejects.toThrow(SignerUnavailable);
      expect(await attempts()).toMatchObject([{ state: 'issued', proofAt: says.time, providerRef: 'task' }]);
    });

    test.each([true, false])(
      'threat 6: a used proof ends the run of the browser that brings it, with a signer: %s',
      async (signs) => {
        const { comeBack, startStep, ticket, says, strikes } = await leave();
        says.signs = signs;
        await db().updateTable('run').set({ stepsRequired: 1 }).execute();
        await startStep();
        await db()
          .updateTable('stepAttempt')
          .set({ providerRef: 'used' })
          .where('tokenHash', '<>', hashTicket(ticket))
          .execute();
        says.verdict = { verdict: 'confirmed', ref: 'used' };

        expect(await comeBack()).toMatchObject({ destination: { page: 'bypass', reason: 'KS_REUSE' } });
        expect(await strikes()).toMatchObject([{ code: 'KS_REUSE' }]);
        expect(await db().selectFrom('run').select('state').execute()).toEqual([{ state: 'cancelled' }]);
      },
    );
  });

  test.each(['linkvertise', 'rinku'])(
    'from %s to a run that has ended asks nobody and adds no strike',
    async (from) => {
      const { comeBack, says, seen, attempts, strikes } = await leave(undefined, from);
      await db().updateTable('run').set({ expiresAt: says.time }).execute();

      expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 1, notice: 'KS_EXPIRED' } });
      expect(seen.asked).toEqual([]);
      expect(await attempts()).toMatchObject([{ state: 'expired', reason: null }]);
      expect(await strikes()).toEqual([]);
    },
  );

  test('leads to where the run stands when the step was finished while the advertiser was asked', async () => {
    const { comeBack, says } = await leave();
    says.meanwhile = () => db().updateTable('run').set({ step: 3 }).execute();

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 3 } });
  });

  test('leads to where the run stands when the attempt was verified after it was read', async () => {
    const { afterNext, comeBack, seen } = await leave();
    afterNext(/FROM step_attempt JOIN run/, async () => {
      await db().updateTable('run').set({ step: 3 }).execute();
      await db().updateTable('stepAttempt').set({ state: 'verified' }).execute();
    });

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 3 } });
    expect(seen.asked).toEqual([]);
  });

  test('T7: with a superseded ticket tells so, although its postback is stored', async () => {
    const { comeBack } = await leave();
    await db().updateTable('stepAttempt').set({ state: 'superseded', postbackAt: T0 }).execute();

    expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice: 'KS_STEP' } });
  });

  test('retries a verdict that the database did not take, while the claim lasts', async () => {
    const { failNext, says, seen, comeBack } = await leave();
    const release = /where .*"claimed_by" = /;
    says.verdict = { verdict: 'unavailable', proofSpent: false };
    says.meanwhile = () => Promise.resolve((says.time += 1));
    failNext(release, BUSY);

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 3000 });
    expect(seen.later).toMatchObject([{ until: T0 + DWELL_MS + 60_000, reason: BUSY }]);
    await db().updateTable('stepAttempt').set({ state: 'issued' }).execute();
    failNext(release, new Error('no such table'));
    await expect(comeBack()).rejects.toThrow('no such table');
    expect(seen.later).toHaveLength(1);
  });
});

describeEachDatabase('returning with a ticket of a run that has moved to another zone', (db) => {
  const STRANGER = clientOf('stranger', 'elsewhere');

  /** Two tickets of one step, the owner's and a stranger's, and a run that has moved to a new zone. */
  async function moveZone() {
    const { comeBack, leave, passCaptcha, says } = createFixture(db());
    await passCaptcha();
    const own = await leave();
    const strangers = await leave({ by: STRANGER, run: 'keep', visitor: { ...VISITOR, zone: 'strange' } });
    await leave({ visitor: { ...VISITOR, zone: 'new' } });
    says.time += DWELL_MS;
    const zoneOf = async (ticket: string, by = OWNER) => {
      const result = await comeBack(ticket, by);
      return 'visitor' in result ? result.visitor.zone : result;
    };
    return { own, strangers, zoneOf };
  }

  test('leads the browser that began the run on with the new zone, and so a visitor who brings its ticket', async () => {
    const { own, strangers, zoneOf } = await moveZone();

    expect(await zoneOf(own)).toBe('new');
    expect(await zoneOf(own, STRANGER)).toBe('new');
    expect(await zoneOf(strangers)).toBe('new');
  });

  test('threat 5: leads any other visitor on with the zone of their ticket, and so the owner of a run without a sealed zone', async () => {
    const { own, strangers, zoneOf } = await moveZone();

    expect(await zoneOf(strangers, STRANGER)).toBe('strange');
    await db().updateTable('run').set({ sealedZone: null }).execute();
    expect(await zoneOf(own)).toBe('zone-1');
  });

  test('treats a run without a known browser as another visitor’s', async () => {
    const { strangers, zoneOf } = await moveZone();
    await db().updateTable('run').set({ visitorHmac: null }).execute();
    await db().updateTable('stepAttempt').set({ visitorHmac: null }).execute();

    expect(await zoneOf(strangers, clientOf(undefined))).toBe('strange');
  });
});
