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
const SAME_STEP = { page: 'step', step: 1, advertiser: 'linkvertise' } as const;
const NEXT_STEP = { page: 'step', step: 2, advertiser: 'linkvertise' } as const;
/** The statement that claims a ticket. */
const CLAIM_SQL = /"claimed_by" = .* where "state" in/;
const BUSY_ERROR = new DatabaseUnavailable('busy');

describeEachDatabase('returns', (db) => {
  const leave = (awayMs?: number, advertiser?: string) => navigateTo(db(), awayMs, advertiser);

  test('a return with a confirmed proof leads to the next step with the device and zone of the ticket', async () => {
    const { comeBack, says, seen, attempts } = await leave();

    expect(await comeBack()).toEqual({ kind: 'destination', appId: 'main', visitor: VISITOR, destination: NEXT_STEP });
    expect(seen.asked).toEqual(['linkvertise']);
    expect(await attempts()).toMatchObject([{ state: 'verified', returnedAt: says.time }]);
    expect(await comeBack()).toMatchObject({ destination: NEXT_STEP });
    expect(seen.asked).toHaveLength(1);
  });

  test('threat 3: a return from an advertiser without a check is credited without a claim, and once when repeated', async () => {
    const { comeBack, says, seen, attempts, failNext, strikes } = await leave(undefined, 'rinku');
    failNext(CLAIM_SQL, new Error('nothing is claimed'));

    const outcomes = await Promise.all([comeBack(), comeBack(), comeBack()]);

    for (const outcome of outcomes) expect(outcome).toMatchObject({ destination: { page: 'step', step: 2 } });
    expect(seen.asked).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'verified', returnedAt: says.time, verifiedAt: says.time }]);
    expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 2 }]);
    expect(await strikes()).toEqual([]);
  });

  test('a return changes nothing while the database is busy and is credited by the next request', async () => {
    const { comeBack, seen, attempts, failNext } = await leave(undefined, 'rinku');
    failNext(/update "run" set "step"/, BUSY_ERROR);

    await expect(comeBack()).rejects.toBe(BUSY_ERROR);
    expect(seen.later).toEqual([]);
    expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 2 } });
  });

  test('threat 4: a return at the last step claims its ticket, so that one key is signed, and keeps the proof while the signer fails', async () => {
    const { comeBack, says, attempts } = await leave(undefined, 'rinku');
    await db().updateTable('run').set({ stepsRequired: 1 }).execute();
    says.signs = false;

    await expect(comeBack()).rejects.toThrow('The fixture has no signer.');
    expect(await attempts()).toMatchObject([{ state: 'issued', claimedBy: 'fixture', proofAt: says.time }]);
    says.signs = true;
    expect(await comeBack()).toMatchObject({ destination: { page: 'getkey' } });
  });

  test('a return credits nothing when its attempt was rejected after it was read', async () => {
    const { afterNext, comeBack } = await leave(undefined, 'rinku');
    afterNext(/FROM step_attempt JOIN run/, () => db().updateTable('stepAttempt').set({ state: 'rejected' }).execute());

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 1 } });
    expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
  });

  test('a return with an unknown ticket is unknown, and a malformed ticket is not looked up', async () => {
    const { comeBack, failNext } = createFixture(db());

    expect(await comeBack(createTicket())).toEqual({ kind: 'unknown' });
    failNext(/step_attempt/, new Error('what is no ticket is not looked up'));
    expect(await comeBack('no ticket')).toEqual({ kind: 'unknown' });
  });

  describe('returns without a proof', () => {
    test.each([
      { isDown: false, notice: 'KS_UNFINISHED' },
      { isDown: true, notice: 'KS_PROVIDER_DOWN' },
    ])(
      'threat 2: a return without a proof claims nothing and shows $notice, with isDown $isDown',
      async ({ isDown, notice }) => {
        const { comeBack, says, seen, attempts } = await leave();
        says.bringsProof = false;
        says.isDown = () => isDown;

        expect(await comeBack()).toMatchObject({ destination: { ...SAME_STEP, notice } });
        expect(await attempts()).toMatchObject([{ state: 'issued', returnedAt: null }]);
        expect(seen.asked).toEqual([]);
      },
    );

    test('a return without a proof leads to the current step when its ticket, run or step has ended', async () => {
      const { comeBack, says } = await leave(QUARTER_MS - 1);
      says.bringsProof = false;
      expect(await comeBack()).toMatchObject({ destination: { ...SAME_STEP, notice: 'KS_UNFINISHED' } });

      await db().updateTable('run').set({ step: 2 }).execute();
      expect(await comeBack()).toMatchObject({ destination: { ...NEXT_STEP, notice: 'KS_STEP' } });
      await db().updateTable('run').set({ step: 1, expiresAt: says.time }).execute();
      expect(await comeBack()).toMatchObject({ destination: { begins: true, notice: 'KS_EXPIRED' } });
      await db()
        .updateTable('run')
        .set({ expiresAt: says.time + HOUR })
        .execute();
      says.time += 1;
      expect(await comeBack()).toMatchObject({ destination: { ...SAME_STEP, notice: 'KS_EXPIRED' } });
    });
  });

  test('a return in a first tab leads to the next step when a second tab has finished its step', async () => {
    const { passCaptcha, leave: leaveIn, comeBack, says, attempts } = createFixture(db());
    await passCaptcha();
    const first = await leaveIn();
    says.time += DWELL_MS;
    const second = await leaveIn();
    says.time += DWELL_MS;
    says.meanwhile = async () => {
      says.meanwhile = () => Promise.resolve();
      expect(await comeBack(second)).toMatchObject({ destination: NEXT_STEP });
      says.verdict = { verdict: 'unavailable', proofSpent: false };
    };
    await comeBack(first);
    expect(await attempts()).toMatchObject([{ state: 'issued' }, { state: 'verified' }]);

    says.bringsProof = false;
    expect(await comeBack(first)).toMatchObject({ destination: { ...NEXT_STEP, notice: 'KS_STEP' } });
    says.bringsProof = true;
    says.verdict = { verdict: 'confirmed', ref: null };
    expect(await comeBack(first)).toMatchObject({ destination: NEXT_STEP });
  });

  describe('returns with a verdict of the advertiser', () => {
    test('a rejected proof adds a strike and ends the ticket', async () => {
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
      'threat 12: an unavailable verdict adds no strike and keeps the ticket unless the proof may be spent: $proofSpent',
      async ({ proofSpent, attempt }) => {
        const { comeBack, says, strikes, attempts } = await leave();
        says.verdict = { verdict: 'unavailable', proofSpent };

        expect(await comeBack()).toMatchObject({ destination: { ...SAME_STEP, notice: 'KS_PROVIDER_DOWN' } });
        expect(await attempts()).toMatchObject([attempt]);
        expect(await strikes()).toEqual([]);
      },
    );

    test('threat 11: a visitor stays on the page of the step until an awaited postback arrives', async () => {
      const { comeBack, says, seen } = await leave();
      says.verdict = { verdict: 'awaited' };

      for (const time of ['first', 'again'])
        expect(await comeBack(), time).toMatchObject({ destination: { ...SAME_STEP, wait: true } });
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();
      expect(await comeBack()).toMatchObject({ destination: NEXT_STEP });
      expect(seen.asked).toHaveLength(1);
    });

    test('a postback stored after the end of its run is not credited', async () => {
      const { comeBack, says } = await leave();
      says.verdict = { verdict: 'awaited' };
      await comeBack();
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();
      await db().updateTable('run').set({ state: 'cancelled' }).execute();

      expect(await comeBack()).toMatchObject({ destination: { begins: true } });
      expect(await db().selectFrom('run').select('step').execute()).toEqual([{ step: 1 }]);
    });

    test.each([
      { meanwhile: { postbackAt: T0, providerRef: 'task' }, leadsTo: { destination: NEXT_STEP } },
      { meanwhile: { state: 'issued' as const }, leadsTo: { kind: 'wait', waitMs: 3000 } },
      { meanwhile: { state: 'issued' as const, postbackAt: T0 }, leadsTo: { kind: 'wait', waitMs: 3000 } },
    ])('a return that awaits its postback reads the attempt again after $meanwhile', async ({ meanwhile, leadsTo }) => {
      const { comeBack, says } = await leave();
      says.verdict = { verdict: 'awaited' };
      says.meanwhile = () => db().updateTable('stepAttempt').set(meanwhile).execute();

      expect(await comeBack()).toMatchObject(leadsTo);
    });

    test('a return does not await a postback when another return has claimed the ticket', async () => {
      const { afterNext, says, comeBack } = await leave();
      const setState = (state: AttemptState) => db().updateTable('stepAttempt').set({ state }).execute();
      says.verdict = { verdict: 'awaited' };
      says.meanwhile = () => setState('issued');
      afterNext(/set "state" = .* where "state" in .* and "postback_at" is null/, () => setState('checking'));

      expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 3000 });
    });

    test('threat 11: a stored postback is credited without a check at the advertiser', async () => {
      const { comeBack, says, seen } = await leave();
      await db().updateTable('stepAttempt').set({ postbackAt: says.time, providerRef: 'task' }).execute();

      expect(await comeBack()).toMatchObject({ destination: NEXT_STEP });
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
      'threat 6: a reused proof cancels the run of the browser that returns with it, with a signer: %s',
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
    'a return from %s to an expired run checks nothing and adds no strike',
    async (from) => {
      const { comeBack, says, seen, attempts, strikes } = await leave(undefined, from);
      await db().updateTable('run').set({ expiresAt: says.time }).execute();

      expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 1, notice: 'KS_EXPIRED' } });
      expect(seen.asked).toEqual([]);
      expect(await attempts()).toMatchObject([{ state: 'expired', reason: null }]);
      expect(await strikes()).toEqual([]);
    },
  );

  test('a return leads to the current step when its step was finished during the check', async () => {
    const { comeBack, says } = await leave();
    says.meanwhile = () => db().updateTable('run').set({ step: 3 }).execute();

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 3 } });
  });

  test('a return leads to the current step when its attempt was verified after it was read', async () => {
    const { afterNext, comeBack, seen } = await leave();
    afterNext(/FROM step_attempt JOIN run/, async () => {
      await db().updateTable('run').set({ step: 3 }).execute();
      await db().updateTable('stepAttempt').set({ state: 'verified' }).execute();
    });

    expect(await comeBack()).toMatchObject({ destination: { page: 'step', step: 3 } });
    expect(seen.asked).toEqual([]);
  });

  test('T7: a return with a superseded ticket shows the notice even if its postback is stored', async () => {
    const { comeBack } = await leave();
    await db().updateTable('stepAttempt').set({ state: 'superseded', postbackAt: T0 }).execute();

    expect(await comeBack()).toMatchObject({ destination: { ...SAME_STEP, notice: 'KS_STEP' } });
  });

  test('a return retries to store a verdict after a database error while its claim lasts', async () => {
    const { failNext, says, seen, comeBack } = await leave();
    const release = /where .*"claimed_by" = /;
    says.verdict = { verdict: 'unavailable', proofSpent: false };
    says.meanwhile = () => Promise.resolve((says.time += 1));
    failNext(release, BUSY_ERROR);

    expect(await comeBack()).toEqual({ kind: 'wait', waitMs: 3000 });
    expect(seen.later).toMatchObject([{ until: T0 + DWELL_MS + 60_000, reason: BUSY_ERROR }]);
    await db().updateTable('stepAttempt').set({ state: 'issued' }).execute();
    failNext(release, new Error('no such table'));
    await expect(comeBack()).rejects.toThrow('no such table');
    expect(seen.later).toHaveLength(1);
  });
});

describeEachDatabase('returns to a run that has moved to another zone', (db) => {
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

  test('the new zone of a run is used for the browser that started it and for its ticket in another browser', async () => {
    const { own, strangers, zoneOf } = await moveZone();

    expect(await zoneOf(own)).toBe('new');
    expect(await zoneOf(own, STRANGER)).toBe('new');
    expect(await zoneOf(strangers)).toBe('new');
  });

  test('threat 5: another visitor keeps the zone of their ticket, and the owner of a run without a sealed zone that of theirs', async () => {
    const { own, strangers, zoneOf } = await moveZone();

    expect(await zoneOf(strangers, STRANGER)).toBe('strange');
    await db().updateTable('run').set({ sealedZone: null }).execute();
    expect(await zoneOf(own)).toBe('zone-1');
  });

  test('a run without a known browser counts as the run of another visitor', async () => {
    const { strangers, zoneOf } = await moveZone();
    await db().updateTable('run').set({ visitorHmac: null }).execute();
    await db().updateTable('stepAttempt').set({ visitorHmac: null }).execute();

    expect(await zoneOf(strangers, clientOf(undefined))).toBe('strange');
  });
});
