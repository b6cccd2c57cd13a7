import { expect, test } from 'vitest';
import type { AttemptRow, RunRow } from '#api/foundation/db/schema.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { expireRun } from '#api/product/key-system/sweep-runs.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';
import { creditStep, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { createExpiryRepository } from './expiry.repository.ts';

const MINUTE = 60_000;
const BACK = T0 + 20_000;

describeEachDatabase('expiring runs', (db) => {
  async function expireAll(at: number, claimedBefore = at - MINUTE): Promise<string[]> {
    const expiry = createExpiryRepository(db());
    const stale = await expiry.listStale({ at, claimedBefore }, 100);
    for (const runId of stale) await expireRun({ db: db() }, runId, { at, claimedBefore });
    return stale;
  }

  const runState = async ({ id }: RunRow) => (await createRunsRepository(db()).find(id))?.state;
  const attemptState = async ({ id }: AttemptRow) => (await createAttemptsRepository(db()).findById(id))?.state;

  test.each([
    { when: 'in its last millisecond', at: T0 + 60 * MINUTE - 1, state: 'open' },
    { when: 'when its hour is over', at: T0 + 60 * MINUTE, state: 'expired' },
  ])('a run is $state $when', async ({ at, state }) => {
    const run = await insertRun(db());

    await expireAll(at);

    expect(await runState(run)).toBe(state);
  });

  test.each([
    { when: 'in its last millisecond', at: T0 + 15 * MINUTE - 1, state: 'issued' },
    { when: 'when its quarter of an hour is over', at: T0 + 15 * MINUTE, state: 'expired' },
  ])('a ticket is $state $when, and its run goes on', async ({ at, state }) => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);

    await expireAll(at);

    expect(await attemptState(attempt)).toBe(state);
    expect(await runState(run)).toBe('open');
  });

  test('confirmed attempts are not listed as stale, and do not expire', async () => {
    const attempts = createAttemptsRepository(db());
    const proven = await insertAttempt(db(), await insertRun(db()));
    await db().updateTable('stepAttempt').set({ proofAt: BACK }).where('id', '=', proven.id).execute();
    const called = await insertAttempt(db(), await insertRun(db(), { hwidHmac: 'another device' }), {
      advertiserId: 'lootlabs',
    });
    await attempts.claim(called.tokenHash, 'test server', BACK);
    await attempts.awaitPostback(called.id);
    await db().updateTable('stepAttempt').set({ postbackAt: BACK }).where('id', '=', called.id).execute();

    expect(await expireAll(T0 + 16 * MINUTE)).toEqual([]);
    expect(await attemptState(proven)).toBe('issued');
    expect(await attemptState(called)).toBe('awaiting_postback');
  });

  test('an attempt that waits for a postback expires with its ticket', async () => {
    const attempt = await insertAttempt(db(), await insertRun(db()), { advertiserId: 'lootlabs' });
    await createAttemptsRepository(db()).claim(attempt.tokenHash, 'test server', BACK);
    await createAttemptsRepository(db()).awaitPostback(attempt.id);

    await expireAll(T0 + 14 * MINUTE);
    expect(await attemptState(attempt)).toBe('awaiting_postback');
    await expireAll(T0 + 15 * MINUTE);
    expect(await attemptState(attempt)).toBe('expired');
  });

  test.each([
    { advertiserId: 'linkvertise', state: 'expired', reason: 'KS_PROVIDER_DOWN', why: 'the token may be spent' },
    { advertiserId: 'workink', state: 'expired', reason: 'KS_PROVIDER_DOWN', why: 'the token may be spent' },
    { advertiserId: 'lootlabs', state: 'issued', reason: null, why: 'its proof is a call to us' },
    { advertiserId: 'rinku', state: 'issued', reason: null, why: 'its proof is the address' },
  ] as const)(
    'a check at $advertiserId that was never finished leaves the attempt $state: $why',
    async ({ advertiserId, state, reason }) => {
      const attempts = createAttemptsRepository(db());
      const attempt = await insertAttempt(db(), await insertRun(db()), { advertiserId });
      await attempts.claim(attempt.tokenHash, 'test server', BACK);

      await expireAll(BACK + MINUTE - 1);
      expect(await attemptState(attempt)).toBe('checking');
      await expireAll(BACK + MINUTE);

      expect(await attempts.findById(attempt.id)).toMatchObject({ state, reason });
      expect(await db().selectFrom('strike').selectAll().execute()).toEqual([]);
    },
  );

  test('a confirmed token is kept when its check was never finished', async () => {
    const attempts = createAttemptsRepository(db());
    const attempt = await insertAttempt(db(), await insertRun(db()));
    await db()
      .updateTable('stepAttempt')
      .set({ proofAt: T0 + 1, providerRef: 'hash' })
      .execute();
    await attempts.claim(attempt.tokenHash, 'test server', BACK);

    await expireAll(BACK + MINUTE);

    expect(await attempts.claim(attempt.tokenHash, 'test server', BACK + MINUTE)).toMatchObject({
      state: 'checking',
      providerRef: 'hash',
    });
  });

  test('a check that was never finished ends when its ticket has expired', async () => {
    const attempt = await insertAttempt(db(), await insertRun(db()), { advertiserId: 'rinku' });
    await createAttemptsRepository(db()).claim(attempt.tokenHash, 'test server', BACK);

    await expireAll(T0 + 16 * MINUTE);

    expect(await attemptState(attempt)).toBe('expired');
  });

  test('a decided attempt does not expire', async () => {
    const run = await insertRun(db());
    const won = await insertAttempt(db(), run);
    await creditStep(db(), { attempt: won, run, providerRef: null, at: BACK });
    const before = await createAttemptsRepository(db()).findById(won.id);

    await expireAll(T0 + 7 * 60 * MINUTE);

    expect(await createAttemptsRepository(db()).findById(won.id)).toEqual(before);
  });

  test('an expired run does not expire again', async () => {
    const run = await insertRun(db());
    await insertAttempt(db(), run);

    expect(await expireAll(T0 + 61 * MINUTE)).toEqual([run.id]);
    expect(await expireAll(T0 + 62 * MINUTE)).toEqual([]);
  });

  test('ending the checks of one run keeps those of other runs', async () => {
    const attempts = createAttemptsRepository(db());
    const [over, other] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];
    const { id, tokenHash } = await insertAttempt(db(), other);
    await attempts.claim(tokenHash, 'test server', BACK);

    await expireRun({ db: db() }, over.id, { at: BACK, claimedBefore: BACK, startedAs: 'test server' });

    expect(await attempts.findById(id)).toMatchObject({ state: 'checking' });
  });
});

describeRace('expiring a run while its visitor returns', (db) => {
  test('expiring a run locks the run first', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    const at = attempt.expiresAt;
    const hold = (trx: ReturnType<typeof db>) => createRunsRepository(trx).lock(run.id);

    await runConcurrently(db(), hold, () => expireRun({ db: db() }, run.id, { at, claimedBefore: at }));

    expect(await createAttemptsRepository(db()).findById(attempt.id)).toMatchObject({ state: 'expired' });
  });
});
