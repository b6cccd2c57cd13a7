import { expect, test } from 'vitest';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { buildKey, creditStep, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

const BACK = T0 + 20_000;
const SERVER = 'test server';
const HOUR = 60 * 60 * 1000;

describeEachDatabase('completing steps', (db) => {
  test('threat 3: three attempts at one step advance the run by one step', async () => {
    const runs = createRunsRepository(db());
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const tabs = [await insertAttempt(db(), run), await insertAttempt(db(), run), await insertAttempt(db(), run)];
    for (const { tokenHash } of tabs) await attempts.claim(tokenHash, SERVER, BACK);

    const outcomes = [];
    for (const [index, attempt] of tabs.entries()) {
      outcomes.push(await creditStep(db(), { attempt, run, providerRef: `ref-${index}`, at: BACK }));
    }

    expect(outcomes).toMatchObject([
      { kind: 'credited', run: { step: 2, state: 'open' } },
      { kind: 'too_late' },
      { kind: 'too_late' },
    ]);
    expect(await runs.find(run.id)).toMatchObject({ step: 2, state: 'open' });
    expect((await attempts.listOfRun(run.id)).filter(({ state }) => state === 'verified')).toHaveLength(1);
    expect(await db().selectFrom('accessKey').selectAll().execute()).toEqual([]);
  });

  test('a credited step supersedes other attempts at the step', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    const rival = await insertAttempt(db(), run);

    await creditStep(db(), { attempt, run, providerRef: null, at: BACK });

    expect(await createAttemptsRepository(db()).findByTicket(rival.tokenHash)).toMatchObject({
      attempt: { state: 'superseded' },
    });
  });

  test('a credited step supersedes no attempt of another device', async () => {
    const [mine, theirs] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];
    const stranger = await insertAttempt(db(), theirs);

    await creditStep(db(), { attempt: await insertAttempt(db(), mine), run: mine, providerRef: null, at: BACK });

    expect(await createAttemptsRepository(db()).findById(stranger.id)).toMatchObject({ state: 'issued' });
  });

  test('threat 4: the last step stores one key, also when it is credited twice', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db(), { stepsRequired: 1 });
    const attempt = await insertAttempt(db(), run);

    const first = await creditStep(db(), { attempt, run, providerRef: 'ref', at: BACK });
    const second = await creditStep(db(), { attempt, run, providerRef: 'ref', at: BACK });

    expect([first, second]).toMatchObject([{ kind: 'credited', run: { state: 'completed' } }, { kind: 'too_late' }]);
    expect(await runs.find(run.id)).toMatchObject({ state: 'completed', completedAt: BACK });
    expect(await db().selectFrom('accessKey').selectAll().execute()).toHaveLength(1);
  });

  test('threat 4: a second key of a run is not stored', async () => {
    const keys = createKeysRepository(db());
    const run = await insertRun(db());

    expect(await keys.insert(buildKey(run))).toBe(true);
    expect(await keys.insert(buildKey(run))).toBe(false);
  });

  test('threat 6: a proof that was credited to one device is rejected for any other', async () => {
    const runs = createRunsRepository(db());
    const [mine, theirs] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];
    await creditStep(db(), {
      attempt: await insertAttempt(db(), mine),
      run: mine,
      providerRef: 'hash',
      at: BACK,
    });
    const attempt = await insertAttempt(db(), theirs);

    const reuse = await creditStep(db(), { attempt, run: theirs, providerRef: 'hash', at: BACK });

    expect(reuse).toEqual({ kind: 'reused' });
    expect(await runs.find(theirs.id)).toMatchObject({ step: 1 });
  });

  test('a step is not credited after its run has expired', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);

    expect(await creditStep(db(), { attempt, run, providerRef: null, at: T0 + 2 * HOUR })).toEqual({
      kind: 'too_late',
    });
  });

  test('a last step stores no key after its run has expired', async () => {
    const run = await insertRun(db(), { stepsRequired: 1 });
    const attempt = await insertAttempt(db(), run);

    expect(await creditStep(db(), { attempt, run, providerRef: null, at: T0 + 2 * HOUR })).toEqual({
      kind: 'too_late',
    });
    expect(await db().selectFrom('accessKey').selectAll().execute()).toEqual([]);
  });

  test('a proof of an expired run is stored as spent', async () => {
    const [over, open] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];
    await creditStep(db(), {
      attempt: await insertAttempt(db(), over),
      run: over,
      providerRef: 'late',
      at: T0 + 2 * HOUR,
    });
    const again = {
      attempt: await insertAttempt(db(), open),
      run: open,
      providerRef: 'late',
      at: BACK,
    };

    expect(await creditStep(db(), again)).toEqual({ kind: 'reused' });
  });

  test('an attempt that ended during the check of its proof is not credited', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    await createAttemptsRepository(db()).withdraw(attempt.id);

    expect(await creditStep(db(), { attempt, run, providerRef: 'ref', at: BACK })).toEqual({ kind: 'too_late' });
    expect(await runs.find(run.id)).toMatchObject({ step: 1, state: 'open' });
  });
});
