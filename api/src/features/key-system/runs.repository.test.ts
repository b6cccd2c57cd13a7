import { expect, test } from 'vitest';
import { isUniqueViolation } from '#api/db/is-unique-violation.ts';
import { createCaptchaRepository } from '#api/features/captcha/captcha.repository.ts';
import { createKeysRepository } from '#api/features/keys/keys.repository.ts';
import { buildKey, buildPass, buildRun, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { createAttemptsRepository } from './attempts.repository.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { createRunsRepository } from './runs.repository.ts';

const BACK = T0 + 20_000;
const HOUR = 60 * 60 * 1000;

describeEachDatabase('runs', (db) => {
  test('row 14: a device that starts twice has one run, and the second start costs no captcha', async () => {
    const runs = createRunsRepository(db());
    const first = await insertRun(db());

    const second = await runs.open(buildRun());

    expect(second).toEqual(first);
    expect(await db().selectFrom('run').selectAll().execute()).toHaveLength(1);
  });

  test('row 14: fifty starts at once give one run', async () => {
    const runs = createRunsRepository(db());
    for (let passes = 0; passes < 50; passes++) await createCaptchaRepository(db()).grant(buildPass());

    const opened = await Promise.all(Array.from({ length: 50 }, () => runs.open(buildRun())));

    expect(new Set(opened.map((run) => (typeof run === 'object' && 'id' in run ? run.id : run))).size).toBe(1);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is not', null).execute()).toHaveLength(
      1,
    );
  });

  test('row 14: fifty browsers that start at once, each with a zone of its own, get one run', async () => {
    const runs = createRunsRepository(db());
    for (let passes = 0; passes < 50; passes++) await createCaptchaRepository(db()).grant(buildPass());

    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        runs.open(buildRun({ zoneHmac: `zone ${at}`, visitorHmac: `browser ${at}` })),
      ),
    );

    expect(await db().selectFrom('run').selectAll().execute()).toHaveLength(1);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is not', null).execute()).toHaveLength(
      1,
    );
  });

  test('a browser has one open run of a device, whatever it asks for', async () => {
    const runs = createRunsRepository(db());
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const first = await insertRun(db(), { by });
    await createCaptchaRepository(db()).grant(buildPass());

    expect(await runs.open(buildRun({ by, zoneHmac: 'another zone', isBeside: true }))).toMatchObject({
      id: first.id,
      zoneHmac: 'zone',
    });
    const second = db()
      .insertInto('run')
      .values({ ...first, id: 'second', zoneHmac: 'another zone' })
      .execute();
    expect(isUniqueViolation(await second.catch((error: unknown) => error))).toBe(true);
  });

  test('only the browser that began a run moves it, and only while there is something to move', async () => {
    const runs = createRunsRepository(db());
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const run = await insertRun(db(), { by });
    const to = { zoneHmac: 'another zone', sealedZone: 'sealed' };

    expect(await runs.move(run.id, to, { ...by, browser: undefined }, BACK)).toBeUndefined();
    expect(await runs.move(run.id, to, { ...by, browser: { hmac: 'other', since: 0 } }, BACK)).toBeUndefined();
    expect(await runs.find(run.id)).toEqual(run);
    expect(await runs.move(run.id, to, by, BACK)).toMatchObject(to);
    await db().updateTable('run').set({ state: 'expired' }).execute();
    expect(await runs.move(run.id, { ...to, zoneHmac: 'zone' }, by, BACK)).toBeUndefined();
  });

  test('without a captcha pass nothing is left behind, not even the device', async () => {
    expect(await createRunsRepository(db()).open(buildRun())).toBe('no pass');

    expect(await db().selectFrom('device').selectAll().execute()).toEqual([]);
    expect(await db().selectFrom('run').selectAll().execute()).toEqual([]);
  });

  test('one visitor opens six runs an hour for a device, another one is not kept from it', async () => {
    const runs = createRunsRepository(db());
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const another = { browser: { hmac: 'another browser', since: T0 - HOUR }, networks: by.networks };
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { by, at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    await createCaptchaRepository(db()).grant(buildPass());

    expect(await runs.open(buildRun({ by, at: T0 + 10 }))).toEqual({ limitedUntil: T0 + HOUR });
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is', null).execute()).toHaveLength(1);
    expect(await runs.open(buildRun({ by: another, at: T0 + 10 }))).toMatchObject({ state: 'open' });
  });

  test.each([
    {
      when: 'a millisecond before the first of them is an hour old',
      at: T0 + HOUR - 1,
      opened: { limitedUntil: T0 + HOUR },
    },
    { when: 'when the first of them is an hour old', at: T0 + HOUR, opened: { state: 'open' } },
  ])('after six runs within the hour the next one $when: $opened', async ({ at, opened }) => {
    const runs = createRunsRepository(db());
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    await createCaptchaRepository(db()).grant(buildPass({ expiresAt: at + 1 }));

    const outcome = await runs.open(buildRun({ at }));

    expect(outcome).toMatchObject(opened);
  });

  test('row 15: a network opens no more than its number of runs in an hour, however many devices it names', async () => {
    const runs = createRunsRepository(db(), { ...DEFAULT_LIMITS, networkStartsPerHour: { soft: 1, hard: 3 } });
    for (const hwidHmac of ['a', 'b', 'c']) await insertRun(db(), { hwidHmac });
    const elsewhere = { browser: undefined, networks: ['another network', 'yesterday'] as const };
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass({ hwidHmac: 'd', ipHmac: elsewhere.networks[0] }));
    for (const hwidHmac of ['d', 'e']) await passes.grant(buildPass({ hwidHmac, expiresAt: T0 + 2 * HOUR }));

    expect(await runs.countFromNetwork(buildRun().by, T0)).toBe(3);
    expect(await runs.open(buildRun({ hwidHmac: 'd' }))).toEqual({ limitedUntil: T0 + HOUR });
    expect(await runs.open(buildRun({ hwidHmac: 'd', by: elsewhere }))).toMatchObject({ state: 'open' });
    expect(await runs.open(buildRun({ hwidHmac: 'e', at: T0 + HOUR - 1 }))).toEqual({ limitedUntil: T0 + HOUR });
    expect(await runs.open(buildRun({ hwidHmac: 'e', at: T0 + HOUR }))).toMatchObject({ state: 'open' });
  });

  test('a run that nobody went on with for an hour is closed by the next start', async () => {
    const old = await insertRun(db());
    const next = await insertRun(db(), { at: T0 + HOUR });

    expect(next.id).not.toBe(old.id);
    expect(await createRunsRepository(db()).find(old.id)).toMatchObject({ state: 'expired' });
  });

  test('activity keeps a run open for another hour, but never beyond six', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db());

    for (let minutes = 50; minutes < 6 * 60; minutes += 50)
      await insertAttempt(db(), run, { issuedAt: T0 + minutes * 60_000 });

    expect(await runs.find(run.id)).toMatchObject({ expiresAt: T0 + 6 * HOUR });
  });

  test('row 3: of three tabs that finish the same step one moves the run on, by one step', async () => {
    const runs = createRunsRepository(db());
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const tabs = [await insertAttempt(db(), run), await insertAttempt(db(), run), await insertAttempt(db(), run)];
    for (const { tokenHash } of tabs) await attempts.claim(tokenHash, BACK);

    const outcomes = [];
    for (const [index, attempt] of tabs.entries()) {
      outcomes.push(await runs.finishStep({ attempt, run, providerRef: `ref-${index}`, key: undefined, at: BACK }));
    }

    expect(outcomes).toEqual([expect.objectContaining({ step: 2, state: 'open' }), undefined, undefined]);
    expect(await runs.find(run.id)).toMatchObject({ step: 2, state: 'open' });
    expect(await attempts.listVerified(run.id)).toHaveLength(1);
  });

  test('a finished step ends the tabs of it that are still open', async () => {
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    const rival = await insertAttempt(db(), run);

    await createRunsRepository(db()).finishStep({ attempt, run, providerRef: null, key: undefined, at: BACK });

    expect(await createAttemptsRepository(db()).find(rival.tokenHash)).toMatchObject({ state: 'superseded' });
  });

  test('row 4: the last step brings the key, and finishing it again brings no second one', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db(), { stepsRequired: 1 });
    const attempt = await insertAttempt(db(), run);

    const first = await runs.finishStep({ attempt, run, providerRef: 'ref', key: buildKey(run), at: BACK });
    const second = await runs.finishStep({ attempt, run, providerRef: 'ref', key: buildKey(run), at: BACK });

    expect([first, second]).toEqual([expect.objectContaining({ state: 'completed' }), undefined]);
    expect(await runs.find(run.id)).toMatchObject({ state: 'completed', completedAt: BACK });
    expect(await db().selectFrom('accessKey').selectAll().execute()).toHaveLength(1);
  });

  test('row 4: a run has one key whatever its steps say', async () => {
    const keys = createKeysRepository(db());
    const run = await insertRun(db());

    expect(await keys.insertForRun(buildKey(run))).toBe(true);
    expect(await keys.insertForRun(buildKey(run))).toBe(false);
  });

  test('row 6: a proof that counted for one device counts for no other', async () => {
    const runs = createRunsRepository(db());
    const [mine, theirs] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];
    await runs.finishStep({
      attempt: await insertAttempt(db(), mine),
      run: mine,
      providerRef: 'hash',
      key: undefined,
      at: BACK,
    });
    const attempt = await insertAttempt(db(), theirs);

    const reuse = await runs
      .finishStep({ attempt, run: theirs, providerRef: 'hash', key: undefined, at: BACK })
      .catch((error: unknown) => error);

    expect(isUniqueViolation(reuse)).toBe(true);
    expect(await runs.find(theirs.id)).toMatchObject({ step: 1 });
  });

  test('a step that is finished after its run ran out is not credited', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);

    expect(
      await runs.finishStep({ attempt, run, providerRef: null, key: undefined, at: T0 + 2 * HOUR }),
    ).toBeUndefined();
  });

  test('a proof that came too late to count is spent all the same', async () => {
    const runs = createRunsRepository(db());
    const [over, open] = [await insertRun(db()), await insertRun(db(), { hwidHmac: 'other' })];
    await runs.finishStep({
      attempt: await insertAttempt(db(), over),
      run: over,
      providerRef: 'late',
      key: undefined,
      at: T0 + 2 * HOUR,
    });
    const again = {
      attempt: await insertAttempt(db(), open),
      run: open,
      providerRef: 'late',
      key: undefined,
      at: BACK,
    };

    expect(isUniqueViolation(await runs.finishStep(again).catch((error: unknown) => error))).toBe(true);
  });

  test('an attempt that was ended while its proof was being checked credits nothing', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db());
    const attempt = await insertAttempt(db(), run);
    await createAttemptsRepository(db()).withdraw(attempt.id);

    expect(await runs.finishStep({ attempt, run, providerRef: 'ref', key: undefined, at: BACK })).toBeUndefined();
    expect(await runs.find(run.id)).toMatchObject({ step: 1, state: 'open' });
  });
});
