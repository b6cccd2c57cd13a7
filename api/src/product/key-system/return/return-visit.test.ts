import { describe, expect, test } from 'vitest';
import { SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import type { AttemptState } from '#api/foundation/db/schema.ts';
import { DatabaseUnavailable } from '#api/foundation/db/database-unavailable.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createFixture, DWELL_MS, leaveFor, VISITOR } from '#api/test/product/key-system-fixture.ts';
import { createTicket, hashTicket } from '#api/product/key-system/ticket.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR = 60 * 60_000;
const HERE = { page: 'step', step: 1, advertiser: 'linkvertise' } as const;
const NEXT = { page: 'step', step: 2, advertiser: 'linkvertise' } as const;
/** The statement that claims a ticket. */
const CLAIM = /"claimed_by" = .* where "state" in/;
const BUSY = new DatabaseUnavailable('busy');

describeEachDatabase('coming back', (db) => {
  const leave = (awayMs?: number, advertiser?: string) => leaveFor(db(), awayMs, advertiser);

  test('with a proof that the advertiser confirms leads on, with what the visitor left with', async () => {
    const { comeBack, says, seen, attempts } = await leave();

    expect(await comeBack()).toEqual({ kind: 'destination', appId: 'main', visitor: VISITOR, destination: NEXT });
    expect(seen.asked).toEqual(['linkvertise']);
    expect(await attempts()).toMatchObject([{ state: 'verified', returnedAt: says.time }]);
    expect(await comeBack()).toMatchObject({ destination: NEXT });
    expect(seen.asked).toHaveLength(1);
  });

  test('to an advertiser that need not be asked is credited without a claim, and several at once count once', async () => {
    const { comeBack, says, seen, attempts, failNext, strikes } = await leave(undefined, 'rinku');
    failNext(CLAIM, new Error('nothing is claimed'));

    const outcomes = await Promise.all([comeBack(), comeBack(), comeBack()]);

    for (const outcome of outcomes) expect(outcome).toMatchObject({ destination: { page: 'step', step: 2 } });
    expect(seen.asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'verified', returnedAt: says.time, verifiedAt: says.time }]);
    expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 2 }]);
    expect(await strikes()).toEqual([]);
  });

  test('to such an advertiser while the database is busy changes nothing, and counts the next time', async () => {
    const { comeBack, seen, attempts, failNext } = await leave(undefined, 'rinku');
    failNext(/UPDATE run SET step/, BUSY);

    await expect(comeBack()).rejects.toBe(BUSY);
    expect(seen.later).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 2 } });
  });

  test('to such an advertiser at the last step is claimed, so that its key is signed once', async () => {
    const { comeBack, says, attempts } = await leave(undefined, 'rinku');
    await db().updateTable('run').set({ stepsRequired: 1 }).execute();
    says.signs = false;

    await expect(comeBack()).rejects.toThrow('The fixture has no signer.');
    expect(await attempts()).toMatchObject([{ state: 'issued', claimedBy: 'fixture', proofAt: says.time }]);
    says.signs = true;
    expect(await comeBack()).toMatchObject({ destination: { page: 'getkey' } });
  });

  test('to an attempt that is rejected while it is looked up credits nothing', async () => {
    const { afterNext, comeBack } = await leave(undefined, 'rinku');
    afterNext(/FROM step_attempt JOIN run/, () => db().updateTable('stepAttempt').set({ state: 'rejected' }).execute());

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 1 } });
    expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
  });

  test('with an unknown ticket leads nowhere', async () => {
    const { comeBack, failNext } = createFixture(db());

    expect(await comeBack(createTicket())).toEqual({ kind: 'unknown' });
    failNext(/step_attempt/, new Error('what is no ticket is not looked up'));
    expect(await comeBack('no ticket')).toEqual({ kind: 'unknown' });
  });

  describe('without a proof', () => {
    test.each([
      { isDown: false, notice: 'KS_UNFINISHED' },
      { isDown: true, notice: 'KS_PROVIDER_DOWN' },
    ])('to an advertiser that is down: $isDown, is told $notice, and takes nothing', async ({ isDown, notice }) => {
      const { comeBack, says, seen, attempts } = await leave();
      says.bringsProof = false;
      says.isDown = () => isDown;

      expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice } });
      expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
      expect(seen.asked).toEqual([]);
    });

    test('is told where it belongs when the ticket, the run or the step is over', async () => {
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
    test('a refusal is a strike, and uses the ticket up', async () => {
      const { comeBack, says, strikes, attempts } = await leave();
      says.verdict = { verdict: 'refused' };

      expect(await comeBack()).toMatchObject({ destination: { page: 'bypass', reason: 'KS_PROOF' } });
      expect(await strikes()).toEqual([{ code: 'KS_PROOF', at: T0 + DWELL_MS, visitorHmac: 'owner' }]);
      expect(await attempts()).toMatchObject([{ state: 'rejected', reason: 'KS_PROOF' }]);
    });

    test.each([
      { proofSpent: false, attempt: { state: 'issued', reason: null } },
      { proofSpent: true, attempt: { state: 'expired', reason: 'KS_PROVIDER_DOWN' } },
    ])('no verdict, with the proof spent: $proofSpent, costs no strike', async ({ proofSpent, attempt }) => {
      const { comeBack, says, strikes, attempts } = await leave();
      says.verdict = { verdict: 'unavailable', proofSpent };

      expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice: 'KS_PROVIDER_DOWN' } });
      expect(await attempts()).toMatchObject([attempt]);
      expect(await strikes()).toEqual([]);
    });

    test('an awaited postback keeps the visitor on the step’s page until it comes', async () => {
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
    ])('an awaited postback is looked up again when meanwhile $meanwhile', async ({ meanwhile, leadsTo }) => {
      const { comeBack, says } = await leave();
      says.verdict = { verdict: 'awaited' };
      says.meanwhile = () => db().updateTable('stepAttempt').set(meanwhile).execute();

      expect(await comeBack()).toMatchObject(leadsTo);
    });

    test('an awaited postback is not assumed when another return has claimed the ticket by then', async () => {
      const { afterNext, says, comeBack } = await leave();
      const setState = (state: AttemptState) => db().updateTable('stepAttempt').set({ state }).execute();
      says.verdict = { verdict: 'awaited' };
      says.meanwhile = () => setState('issued');
      afterNext(/set "state" = .* where "state" in .* and "postback_at" is null/, () => setState('checking'));

      expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 3000 });
    });

    test('a postback that was stored before the visitor is back needs no call', async () => {
      const { comeBack, says, seen } = await leave();
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();

      expect(await comeBack()).toMatchObject({ destination: NEXT });
      expect(seen.asked).toEqual([]);
    });

    test('a postback that comes while the ticket is looked up keeps its reference when no key can be signed', async () => {
      const { comeBack, says, attempts, afterNext } = await leave();
      await db().updateTable('run').set({ stepsRequired: 1 }).execute();
      afterNext(/FROM step_attempt JOIN run/, () =>
        db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute(),
      );
      says.signs = false;

      await expect(comeBack()).rejects.toThrow(SignerUnavailable);
      expect(await attempts()).toMatchObject([{ state: 'issued', proofAt: says.time, providerRef: 'task' }]);
    });

    test('a proof that counted before ends the run of the browser that brings it', async () => {
      const { comeBack, startStep, ticket, says, strikes } = await leave();
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
    });
  });

  test.each(['linkvertise', 'rinku'])('from %s to a run that is over asks nobody and adds no strike', async (from) => {
    const { comeBack, says, seen, attempts, strikes } = await leave(undefined, from);
    await db().updateTable('run').set({ expiresAt: says.time }).execute();

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 1, notice: 'KS_EXPIRED' } });
    expect(seen.asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'expired', reason: null }]);
    expect(await strikes()).toEqual([]);
  });

  test('to a step that is finished while the advertiser is asked leads to where the run stands', async () => {
    const { comeBack, says } = await leave();
    says.meanwhile = () => db().updateTable('run').set({ step: 3 }).execute();

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 3 } });
  });

  test('with a ticket that is decided while it is looked up leads to where the run stands by then', async () => {
    const { afterNext, comeBack, seen } = await leave();
    afterNext(/FROM step_attempt JOIN run/, async () => {
      await db().updateTable('run').set({ step: 3 }).execute();
      await db().updateTable('stepAttempt').set({ state: 'verified' }).execute();
    });

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 3 } });
    expect(seen.asked).toEqual([]);
  });

  test('with a superseded ticket says so, though its advertiser has called', async () => {
    const { comeBack } = await leave();
    await db().updateTable('stepAttempt').set({ state: 'superseded', postbackAt: T0 }).execute();

    expect(await comeBack()).toMatchObject({ destination: { ...HERE, notice: 'KS_STEP' } });
  });

  test('while another tab has the ticket waits a little', async () => {
    const { comeBack, seen } = await leave();
    await db().updateTable('stepAttempt').set({ state: 'checking' }).execute();

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 3000 });
    expect(seen.asked).toEqual([]);
  });

  test('to a database that takes no verdict has it written later, as long as the claim holds', async () => {
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
