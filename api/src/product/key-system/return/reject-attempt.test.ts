import { expect, test } from 'vitest';
import { insertAttempt, insertRun, ANONYMOUS, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { rejectAttempt } from './return-visit.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

const BACK = T0 + 20_000;
const SERVER = 'test server';

describeEachDatabase('rejecting attempts', (db) => {
  test('an attempt is rejected once, with one strike against the client that returned', async () => {
    const by = { browser: { hmac: 'browser', since: 0 }, networks: ['network', 'yesterday'] as const };
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    await createAttemptsRepository(db()).claim(attempt.tokenHash, SERVER, BACK);
    const refuse = () => rejectAttempt({ db: db(), now: () => BACK }, { attempt, run, by }, 'KS_PROOF');

    for (const time of ['first', 'again'])
      expect(await refuse(), time).toMatchObject({ destination: { page: 'bypass', reason: 'KS_PROOF' } });

    const strikes = await db().selectFrom('strike').selectAll().execute();
    expect(strikes).toHaveLength(1);
    expect(strikes[0]).toMatchObject({
      deviceId: run.deviceId,
      visitorHmac: 'browser',
      ipHmac: 'network',
      code: 'KS_PROOF',
      weight: 1,
      at: BACK,
    });
    expect(await createRunsRepository(db()).find(run.id)).toMatchObject({ state: 'open' });
  });

  test('a reused proof adds a strike to a network without a cookie and cancels no ended run', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    await createAttemptsRepository(db()).claim(attempt.tokenHash, SERVER, BACK);
    await db().updateTable('run').set({ state: 'blocked' }).execute();

    await rejectAttempt({ db: db(), now: () => BACK }, { attempt, run, by: ANONYMOUS }, 'KS_REUSE');

    expect(await db().selectFrom('strike').select(['visitorHmac', 'ipHmac']).execute()).toEqual([
      { visitorHmac: null, ipHmac: ANONYMOUS.networks[0] },
    ]);
    expect(
      await (await sealAudit(db())).selectFrom('auditEvent').select('code').where('code', '=', 'cancelled').execute(),
    ).toEqual([]);
  });
});

describeRace('simultaneous rejections of attempts', (db) => {
  test('a rejection locks the run first', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    await createAttemptsRepository(db()).claim(attempt.tokenHash, SERVER, BACK);
    const hold = (trx: ReturnType<typeof db>) => createRunsRepository(trx).lock(run.id);
    const refuse = () => rejectAttempt({ db: db(), now: () => BACK }, { attempt, run, by: ANONYMOUS }, 'KS_PROOF');

    expect(await runConcurrently(db(), hold, refuse)).toMatchObject({ destination: { reason: 'KS_PROOF' } });
    expect(await createAttemptsRepository(db()).findById(attempt.id)).toMatchObject({ state: 'rejected' });
  });
});
