import { expect, test } from 'vitest';
import { insertAttempt, insertRun, ANONYMOUS, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { issueAttempt } from './open-run.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

const BACK = T0 + 20_000;
const SERVER = 'test server';
const HOUR = 60 * 60 * 1000;

describeEachDatabase('issuing attempts', (db) => {
  test('a fourth attempt at a step takes the place of the oldest', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const oldest = await insertAttempt(db(), run);
    for (const ms of [1, 2, 3]) await insertAttempt(db(), run, { issuedAt: T0 + ms });

    expect(await attempts.findByTicket(oldest.tokenHash)).toMatchObject({ attempt: { state: 'superseded' } });
    expect(await attempts.claim(oldest.tokenHash, SERVER, BACK)).toBeUndefined();
  });

  test('an attempt that was confirmed before its time is not superseded', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const [called, kept] = [
      await insertAttempt(db(), run, { advertiserId: 'lootlabs' }),
      await insertAttempt(db(), run, { issuedAt: T0 + 1 }),
    ];
    await attempts.notePostback(called.id, 'task-1', T0 + 2);
    await attempts.claimEarly(kept.tokenHash, SERVER, T0 + 2);
    await attempts.keepProof(kept.id, 'ref', T0 + 2);

    for (const ms of [3, 4, 5, 6, 7]) await insertAttempt(db(), run, { issuedAt: T0 + ms });

    expect(await attempts.findById(called.id)).toMatchObject({ state: 'issued' });
    expect(await attempts.findById(kept.id)).toMatchObject({ state: 'issued' });
  });

  test('an attempt that is issued says so, and knows who left with it', async () => {
    const run = await insertRun(db());
    const order = {
      id: 'attempt',
      advertiserId: 'rinku',
      tokenHash: 'hash',
      sealedContext: 'sealed',
      issuedAt: T0,
      notBefore: T0 + 1,
      expiresAt: T0 + 2,
    } as const;

    expect(await issueAttempt({ db: db(), limits: DEFAULT_LIMITS }, run, { ...order, by: ANONYMOUS })).toEqual({
      kind: 'issued',
    });
    expect(await createAttemptsRepository(db()).findByTicket('hash')).toMatchObject({
      attempt: { ...order, runId: run.id, step: 1, visitorHmac: null, ipHmac: ANONYMOUS.networks[0] },
      run,
    });
  });

  test('only what is out at the same step counts towards the three', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const oldest = await insertAttempt(db(), run);
    const over = await insertAttempt(db(), run, { issuedAt: T0 + 1 });
    await attempts.withdraw(over.id);
    const elsewhere = await insertAttempt(db(), run, { issuedAt: T0 + 2 });
    await db().updateTable('stepAttempt').set({ step: 2 }).where('id', '=', elsewhere.id).execute();

    for (const ms of [3, 4]) await insertAttempt(db(), run, { issuedAt: T0 + ms });
    expect(await attempts.findById(oldest.id)).toMatchObject({ state: 'issued' });
    await insertAttempt(db(), run, { issuedAt: T0 + 5 });
    expect(await attempts.findById(oldest.id)).toMatchObject({ state: 'superseded' });
    expect(await attempts.findById(elsewhere.id)).toMatchObject({ state: 'issued' });
  });

  test('a browser makes room with its own tabs; who has no cookie closes no tab of a browser that has one', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const by = { ...ANONYMOUS, browser: { hmac: 'browser', since: T0 - 1 } };
    const own = await insertAttempt(db(), run, { by });
    for (const ms of [1, 2, 3]) await insertAttempt(db(), run, { issuedAt: T0 + ms });
    expect(await attempts.findById(own.id)).toMatchObject({ state: 'issued', visitorHmac: 'browser' });

    for (const ms of [4, 5, 6]) await insertAttempt(db(), run, { issuedAt: T0 + ms, by });
    expect(await attempts.findById(own.id)).toMatchObject({ state: 'superseded' });
  });

  test('an eleventh attempt within an hour is refused, and an hour later it is not', async () => {
    const run = await insertRun(db());
    for (let tries = 0; tries < 10; tries++) await insertAttempt(db(), run, { issuedAt: T0 + tries });

    await expect(insertAttempt(db(), run, { issuedAt: T0 + 10 })).rejects.toThrow('limited');
    await expect(insertAttempt(db(), run, { issuedAt: T0 + 59 * 60_000 })).rejects.toThrow('limited');
    await expect(insertAttempt(db(), run, { issuedAt: T0 + 60 * 60_000 + 5 })).resolves.toMatchObject({
      state: 'issued',
    });
  });

  test('threat 16: ten networks use up the tries of all, but not those of the network that began the run', async () => {
    const run = await insertRun(db());
    const from = (network: number) => ({
      browser: undefined,
      networks: [`network ${String(network)}`, `network ${String(network)} yesterday`] as const,
    });
    await insertAttempt(db(), run);
    for (let count = 0; count < 99; count++)
      await insertAttempt(db(), run, { by: from(count % 10), issuedAt: T0 + 1 + count });

    await expect(insertAttempt(db(), run, { by: from(11), issuedAt: T0 + 200 })).rejects.toThrow('limited');
    await expect(insertAttempt(db(), run, { issuedAt: T0 + 200 })).resolves.toMatchObject({ state: 'issued' });
    const tomorrow = { browser: undefined, networks: ['network tomorrow', 'network'] } as const;
    await expect(insertAttempt(db(), run, { by: tomorrow, issuedAt: T0 + 300 })).resolves.toMatchObject({
      state: 'issued',
    });
  });

  test('a run that has moved on or run out takes no attempt', async () => {
    const run = await insertRun(db());

    await expect(insertAttempt(db(), { ...run, step: 2 })).rejects.toThrow('moved_on');
    await expect(insertAttempt(db(), run, { issuedAt: run.expiresAt })).rejects.toThrow('moved_on');
  });

  test('activity keeps a run open for another hour, but never beyond six', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db());

    for (let minutes = 50; minutes < 6 * 60; minutes += 50)
      await insertAttempt(db(), run, { issuedAt: T0 + minutes * 60_000 });

    expect(await runs.find(run.id)).toMatchObject({ expiresAt: T0 + 6 * HOUR });
  });
});
