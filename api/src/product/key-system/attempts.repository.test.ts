import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { ANONYMOUS, creditStep, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { type AttemptClaim, createAttemptsRepository } from './attempts.repository.ts';
import { createRunsRepository } from './runs.repository.ts';

const BACK = T0 + 20_000;
const SERVER = 'test server';

describeEachDatabase('attempts', (db) => {
  test('threat 3: a ticket is claimed once', async () => {
    const attempts = createAttemptsRepository(db());
    const { tokenHash } = await insertAttempt(db(), await insertRun(db()));

    expect(await attempts.claim(tokenHash, SERVER, BACK)).toMatchObject({ state: 'checking', returnedAt: BACK });
    expect(await attempts.claim(tokenHash, SERVER, BACK)).toBeUndefined();
  });

  test('findByTicket returns the whole run', async () => {
    const browser = { hmac: 'browser', since: T0 };
    const run = await insertRun(db(), { sealedZone: 'sealed zone', by: { ...ANONYMOUS, browser } });
    const { tokenHash } = await insertAttempt(db(), run);
    await db().updateTable('run').set({ completedAt: BACK }).execute();

    const found = await createAttemptsRepository(db()).findByTicket(tokenHash);
    expect(found?.run).toEqual(await createRunsRepository(db()).find(run.id));
    expect(found?.run.id).toBe(run.id);
  });

  test('verifying an attempt does not end attempts at other steps', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const first = await insertAttempt(db(), run);
    await db().updateTable('run').set({ step: 2 }).execute();
    const second = await insertAttempt(db(), { ...run, step: 2 });

    expect(await attempts.verify(first, null, BACK)).toBe('written');
    expect(await attempts.findById(first.id)).toMatchObject({ state: 'verified', step: 1 });
    expect(await attempts.findById(second.id)).toMatchObject({ state: 'issued', step: 2 });
  });

  test.each([
    { when: 'a millisecond before its time', at: T0 + 9_999, taken: false },
    { when: 'at its first moment', at: T0 + 10_000, taken: true },
    { when: 'at its last moment', at: T0 + 899_999, taken: true },
    { when: 'when it has run out', at: T0 + 900_000, taken: false },
  ])('threat 9: a ticket that returns $when is claimed: $taken', async ({ at, taken }) => {
    const attempts = createAttemptsRepository(db());
    const { tokenHash } = await insertAttempt(db(), await insertRun(db()));

    expect((await attempts.claim(tokenHash, SERVER, at)) !== undefined).toBe(taken);
  });

  test('threat 10: a postback is stored once, and its task for one attempt only', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const one = await insertAttempt(db(), run, { advertiserId: 'lootlabs' });
    const other = await insertAttempt(db(), run, { advertiserId: 'lootlabs' });

    expect(await attempts.notePostback(one.id, 'task-1', BACK)).toMatchObject({ postbackAt: BACK });
    expect(await attempts.notePostback(one.id, 'task-2', BACK)).toBeUndefined();
    expect(await attempts.notePostback(other.id, 'task-1', BACK)).toBeUndefined();
  });

  test('awaitPostback returns false when the postback is stored', async () => {
    const attempts = createAttemptsRepository(db());
    const { id, tokenHash } = await insertAttempt(db(), await insertRun(db()), { advertiserId: 'lootlabs' });
    await attempts.claim(tokenHash, SERVER, BACK);
    await attempts.notePostback(id, 'task-1', BACK);

    expect(await attempts.awaitPostback(id)).toBe(false);
  });

  test('awaitPostback returns true while no postback is stored', async () => {
    const attempts = createAttemptsRepository(db());
    const { id, tokenHash } = await insertAttempt(db(), await insertRun(db()), { advertiserId: 'lootlabs' });
    await attempts.claim(tokenHash, SERVER, BACK);

    expect(await attempts.awaitPostback(id)).toBe(true);
  });

  test('an ended attempt stores its reason, and an attempt that ends with its run stores none', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const endOf = async (isClaimed: boolean, end: (id: string, claim: AttemptClaim) => Promise<unknown>) => {
      const { id, tokenHash } = await insertAttempt(db(), run);
      if (isClaimed) await attempts.claim(tokenHash, SERVER, BACK);
      await end(id, { id, claimedBy: SERVER, returnedAt: BACK });
      const attempt = await attempts.findById(id);
      return [attempt?.state, attempt?.reason, attempt?.returnedAt];
    };

    expect(await endOf(false, (id) => attempts.reject(id, 'KS_FAST', T0 + 1))).toEqual(['rejected', 'KS_FAST', T0 + 1]);
    expect(await endOf(true, (id) => attempts.reject(id, 'KS_PROOF', T0 + 2))).toEqual([
      'rejected',
      'KS_PROOF',
      T0 + 2,
    ]);
    expect(await endOf(true, (_id, claim) => attempts.giveUp(claim, 'KS_PROVIDER_DOWN'))).toEqual([
      'expired',
      'KS_PROVIDER_DOWN',
      BACK,
    ]);
    expect(await endOf(true, (_id, claim) => attempts.giveUp(claim, null))).toEqual(['expired', null, BACK]);
    expect(await endOf(false, (id) => attempts.withdraw(id))).toEqual(['expired', 'KS_PROVIDER_DOWN', null]);
  });

  test('an attempt whose proof was kept is not claimed early a second time', async () => {
    const attempts = createAttemptsRepository(db());
    const { id, tokenHash } = await insertAttempt(db(), await insertRun(db()));

    expect(await attempts.claimEarly(tokenHash, SERVER, T0 + 1)).toMatchObject({
      state: 'checking',
      returnedAt: T0 + 1,
      claimedBy: SERVER,
    });
    expect(await attempts.keepProof(id, 'ref', T0 + 1)).toBe('written');
    expect(await attempts.keepProof(id, 'ref', T0 + 1)).toBe('ended');
    expect(await attempts.claimEarly(tokenHash, SERVER, T0 + 2)).toBeUndefined();
  });

  test('a released ticket can be claimed again, an abandoned one cannot', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const kept = await insertAttempt(db(), run);
    const spent = await insertAttempt(db(), run);
    for (const { tokenHash } of [kept, spent]) await attempts.claim(tokenHash, SERVER, BACK);

    await attempts.release({ id: kept.id, claimedBy: SERVER, returnedAt: BACK });
    await attempts.giveUp({ id: spent.id, claimedBy: SERVER, returnedAt: BACK }, null);

    expect(await attempts.claim(kept.tokenHash, SERVER, BACK)).toMatchObject({ state: 'checking' });
    expect(await attempts.claim(spent.tokenHash, SERVER, BACK)).toBeUndefined();
  });

  test('of visits that were credited the newest are listed, and none without a return', async () => {
    const attempts = createAttemptsRepository(db());
    for (const [advertiserId, issuedAt, returnedAt] of [
      ['rinku', T0 + 1, BACK],
      ['lootlabs', T0 + 2, BACK],
      ['workink', T0 + 3, null],
    ] as const) {
      const run = await insertRun(db(), { hwidHmac: advertiserId });
      const { id } = await insertAttempt(db(), run, { advertiserId, issuedAt });
      await db().updateTable('stepAttempt').set({ state: 'verified', returnedAt }).where('id', '=', id).execute();
    }

    expect(await attempts.listCredited(T0, 1)).toMatchObject([{ advertiserId: 'lootlabs', tookMs: BACK - T0 - 2 }]);
  });

  test('a late result of an old claim does not change a newer claim', async () => {
    const attempts = createAttemptsRepository(db());
    const { id, tokenHash } = await insertAttempt(db(), await insertRun(db()));
    await attempts.claim(tokenHash, SERVER, BACK);
    const late = { id, claimedBy: SERVER, returnedAt: BACK - 1 };

    await attempts.release(late);
    await attempts.giveUp(late, null);
    await attempts.rollBackClaim(id, SERVER, BACK - 1);
    await attempts.rollBackClaim(id, 'another server', BACK);

    expect(await attempts.findById(id)).toMatchObject({ state: 'checking', returnedAt: BACK });
  });
});

describeRace('attempts at once', (db) => {
  test('a claim that commits after its rollback has started is rolled back', async () => {
    const attempts = createAttemptsRepository(db());
    const { id, tokenHash } = await insertAttempt(db(), await insertRun(db()));
    let rolledBack: Promise<void> | undefined;
    await db()
      .transaction()
      .execute(async (tx) => {
        await createAttemptsRepository(tx).claim(tokenHash, SERVER, BACK);
        rolledBack = attempts.rollBackClaim(id, SERVER, BACK);
        await expect.poll(() => countWaiting(db())).toBe(1);
      });
    await rolledBack;

    expect(await attempts.findById(id)).toMatchObject({ state: 'issued' });
  });

  test('threat 3: an attempt rejected during the credit of its step is not credited', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    const turnDown = (trx: ReturnType<typeof db>) =>
      trx.updateTable('stepAttempt').set({ state: 'rejected', reason: 'KS_PROOF' }).execute();

    const finished = await runConcurrently(db(), turnDown, () =>
      creditStep(db(), { attempt, run, providerRef: 'ref', at: BACK }),
    );

    expect(finished).toEqual({ kind: 'too_late' });
    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ step: 1, state: 'open' });
    expect(await createAttemptsRepository(db()).findById(attempt.id)).toMatchObject({
      state: 'rejected',
      reason: 'KS_PROOF',
      providerRef: null,
    });
  });

  test('T7: a claimed attempt is not superseded by a simultaneous newer one', async () => {
    const run = await insertRun(db());
    const oldest = await insertAttempt(db(), run);
    for (const ms of [1, 2]) await insertAttempt(db(), run, { issuedAt: T0 + ms });

    await runConcurrently(
      db(),
      (trx) => createAttemptsRepository(trx).claim(oldest.tokenHash, SERVER, BACK),
      () => insertAttempt(db(), run, { issuedAt: T0 + 3 }),
    );

    expect(await createAttemptsRepository(db()).findById(oldest.id)).toMatchObject({ state: 'checking' });
  });
});

/** How many statements wait for a lock. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
