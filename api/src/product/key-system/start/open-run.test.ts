import { expect, test } from 'vitest';
import { isUniqueViolation } from '#api/foundation/db/dialect.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import { ANONYMOUS, buildPass, buildRun, insertAttempt, insertRun, T0 } from '#api/test/build-rows.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { blockDevices } from '#api/product/key-system/block-devices.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { laterTime, openRun, limitedUntil } from './open-run.ts';
import { moveRun } from './start-run.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

const HOUR = 60 * 60 * 1000;
const BACK = T0 + 20_000;
const SERVER = 'test server';
const BROWSER = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };

describeEachDatabase('opening runs', (db) => {
  const deps = () => ({ db: db(), limits: DEFAULT_LIMITS });

  test('threat 14: a second start returns the open run and consumes no captcha pass', async () => {
    const first = await insertRun(db());

    const second = await openRun(deps(), buildRun());

    expect(second).toEqual({ kind: 'open', run: first });
    expect(await db().selectFrom('run').selectAll().execute()).toHaveLength(1);
  });

  test('a blocked device opens no run and consumes no captcha pass', async () => {
    const { id } = await createDevicesRepository(db()).ensure('main', 'hwid', T0);
    await createCaptchaRepository(db()).grant(buildPass());
    await blockDevices({ db: db() }, [id], { reason: 'abuse', until: T0 + HOUR }, { by: 'ada', at: T0 });

    expect(await openRun(deps(), buildRun())).toEqual({ kind: 'blocked' });
    expect(await db().selectFrom('run').selectAll().execute()).toEqual([]);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is', null).execute()).toHaveLength(1);
  });

  test('threat 14: fifty simultaneous starts with different zones open one run', async () => {
    for (let passes = 0; passes < 50; passes++) await createCaptchaRepository(db()).grant(buildPass());

    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        openRun(deps(), buildRun({ zoneHmac: `zone ${at}`, visitorHmac: `browser ${at}` })),
      ),
    );

    expect(await db().selectFrom('run').selectAll().execute()).toHaveLength(1);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is not', null).execute()).toHaveLength(
      1,
    );
  });

  test('a browser has one open run per device, also when it chooses "new"', async () => {
    const first = await insertRun(db(), { by: BROWSER });
    await createCaptchaRepository(db()).grant(buildPass());

    expect(await openRun(deps(), buildRun({ by: BROWSER, zoneHmac: 'another zone', isParallel: true }))).toMatchObject({
      run: { id: first.id, zoneHmac: 'zone' },
    });
    const second = db()
      .insertInto('run')
      .values({ ...first, id: 'second', zoneHmac: 'another zone' })
      .execute();
    expect(isUniqueViolation(await second.catch((error: unknown) => error))).toBe(true);
  });

  test('a start without a captcha pass stores nothing', async () => {
    expect(await openRun(deps(), buildRun())).toEqual({ kind: 'no_pass' });

    expect(await db().selectFrom('device').selectAll().execute()).toEqual([]);
    expect(await db().selectFrom('run').selectAll().execute()).toEqual([]);
  });

  test('a visitor is limited to six runs an hour per device, and another visitor is not affected', async () => {
    const another = { ...BROWSER, browser: { hmac: 'another browser', since: T0 - HOUR } };
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { by: BROWSER, at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    await createCaptchaRepository(db()).grant(buildPass());

    const device = await db().selectFrom('device').selectAll().execute();
    expect(await openRun(deps(), buildRun({ by: BROWSER, at: T0 + 10 }))).toEqual({
      kind: 'limited',
      until: T0 + HOUR,
    });
    expect(await db().selectFrom('device').selectAll().execute()).toEqual(device);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is', null).execute()).toHaveLength(1);
    expect(await openRun(deps(), buildRun({ by: another, at: T0 + 10 }))).toMatchObject({ run: { state: 'open' } });
  });

  test.each([
    {
      when: 'a millisecond before the first of them is an hour old',
      at: T0 + HOUR - 1,
      opened: { kind: 'limited', until: T0 + HOUR },
    },
    { when: 'when the first of them is an hour old', at: T0 + HOUR, opened: { kind: 'opened' } },
  ])('after six runs within an hour the next one $when is $opened', async ({ at, opened }) => {
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    await createCaptchaRepository(db()).grant(buildPass({ expiresAt: at + 1 }));

    const outcome = await openRun(deps(), buildRun({ at }));

    expect(outcome).toMatchObject(opened);
  });

  test('threat 15: the runs of a network are limited per hour over all devices', async () => {
    const strict = { db: db(), limits: { ...DEFAULT_LIMITS, networkStartsPerHour: { soft: 1, hard: 3 } } };
    for (const hwidHmac of ['a', 'b', 'c']) await insertRun(db(), { hwidHmac });
    const elsewhere = { browser: undefined, networks: ['another network', 'yesterday'] as const };
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass({ hwidHmac: 'd', ipHmac: elsewhere.networks[0] }));
    for (const hwidHmac of ['d', 'e']) await passes.grant(buildPass({ hwidHmac, expiresAt: T0 + 2 * HOUR }));

    expect(await createRunsRepository(db()).countNetworkStarts(buildRun().by, T0 - HOUR)).toBe(3);
    expect(await openRun(strict, buildRun({ hwidHmac: 'd' }))).toEqual({ kind: 'limited', until: T0 + HOUR });
    expect(await openRun(strict, buildRun({ hwidHmac: 'd', by: elsewhere }))).toMatchObject({ run: { state: 'open' } });
    expect(await openRun(strict, buildRun({ hwidHmac: 'e', at: T0 + HOUR - 1 }))).toEqual({
      kind: 'limited',
      until: T0 + HOUR,
    });
    expect(await openRun(strict, buildRun({ hwidHmac: 'e', at: T0 + HOUR }))).toMatchObject({ run: { state: 'open' } });
  });

  test('an idle run expires when the next run starts', async () => {
    const old = await insertRun(db());
    const next = await insertRun(db(), { at: T0 + HOUR });

    expect(next.id).not.toBe(old.id);
    expect(await createRunsRepository(db()).find(old.id)).toMatchObject({ state: 'expired', updatedAt: T0 + HOUR });
  });
});

describeEachDatabase('issuing attempts', (db) => {
  test('a fourth attempt at a step supersedes the oldest', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const oldest = await insertAttempt(db(), run);
    for (const ms of [1, 2, 3]) await insertAttempt(db(), run, { issuedAt: T0 + ms });

    expect(await attempts.findByTicket(oldest.tokenHash)).toMatchObject({ attempt: { state: 'superseded' } });
    expect(await attempts.claim(oldest.tokenHash, SERVER, BACK)).toBeUndefined();
  });

  test('an attempt confirmed before its minimum time is not superseded', async () => {
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

  test('only live attempts at the same step count towards the limit of three', async () => {
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

  test('attempts supersede those of the same browser, and without a cookie none of a browser with one', async () => {
    const attempts = createAttemptsRepository(db());
    const run = await insertRun(db());
    const by = { ...ANONYMOUS, browser: { hmac: 'browser', since: T0 - 1 } };
    const own = await insertAttempt(db(), run, { by });
    for (const ms of [1, 2, 3]) await insertAttempt(db(), run, { issuedAt: T0 + ms });
    expect(await attempts.findById(own.id)).toMatchObject({ state: 'issued', visitorHmac: 'browser' });

    for (const ms of [4, 5, 6]) await insertAttempt(db(), run, { issuedAt: T0 + ms, by });
    expect(await attempts.findById(own.id)).toMatchObject({ state: 'superseded' });
  });

  test('an eleventh attempt within an hour is rejected and accepted an hour later', async () => {
    const run = await insertRun(db());
    for (let tries = 0; tries < 10; tries++) await insertAttempt(db(), run, { issuedAt: T0 + tries });

    await expect(insertAttempt(db(), run, { issuedAt: T0 + 10 })).rejects.toThrow('limited');
    await expect(insertAttempt(db(), run, { issuedAt: T0 + 59 * 60_000 })).rejects.toThrow('limited');
    await expect(insertAttempt(db(), run, { issuedAt: T0 + 60 * 60_000 + 5 })).resolves.toMatchObject({
      state: 'issued',
    });
  });

  test('threat 16: ten networks use up the shared attempts, but not those of the network that started the run', async () => {
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

  test('an attempt is rejected when the run is at another step or expired', async () => {
    const run = await insertRun(db());

    await expect(insertAttempt(db(), { ...run, step: 2 })).rejects.toThrow('moved_on');
    await expect(insertAttempt(db(), run, { issuedAt: run.expiresAt })).rejects.toThrow('moved_on');
  });

  test('each attempt extends its run by an hour, up to six hours', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db());

    for (let minutes = 50; minutes < 6 * 60; minutes += 50)
      await insertAttempt(db(), run, { issuedAt: T0 + minutes * 60_000 });

    expect(await runs.find(run.id)).toMatchObject({ expiresAt: T0 + 6 * HOUR });
  });
});

describeEachDatabase('moving runs', (db) => {
  test('the browser that started a run moves it to a new zone while it is open or completed', async () => {
    const runs = createRunsRepository(db());
    const run = await insertRun(db(), { by: BROWSER });
    const to = { zoneHmac: 'another zone', sealedZone: 'sealed' };

    expect(await moveRun({ db: db() }, run.id, to, { by: { ...BROWSER, browser: undefined }, at: BACK })).toBe(false);
    const other = { ...BROWSER, browser: { hmac: 'other', since: 0 } };
    expect(await moveRun({ db: db() }, run.id, to, { by: other, at: BACK })).toBe(false);
    expect(await runs.find(run.id)).toEqual(run);
    expect(await moveRun({ db: db() }, run.id, to, { by: BROWSER, at: BACK })).toBe(true);
    expect(await runs.find(run.id)).toMatchObject(to);
    await db().updateTable('run').set({ state: 'completed' }).execute();
    expect(await moveRun({ db: db() }, run.id, { ...to, zoneHmac: 'third zone' }, { by: BROWSER, at: BACK })).toBe(
      true,
    );
    await db().updateTable('run').set({ state: 'expired' }).execute();
    expect(await moveRun({ db: db() }, run.id, { ...to, zoneHmac: 'zone' }, { by: BROWSER, at: BACK })).toBe(false);
  });

  test('a run without a zone is not moved to another zone', async () => {
    const run = await insertRun(db(), { by: BROWSER, zoneHmac: '' });
    const to = { zoneHmac: 'another zone', sealedZone: 'sealed' };

    expect(await moveRun({ db: db() }, run.id, to, { by: BROWSER, at: BACK })).toBe(false);
    expect(await createRunsRepository(db()).find(run.id)).toEqual(run);
  });
});

test('limitedUntil returns when enough events are older than an hour', () => {
  expect(limitedUntil([1000], 2)).toBeUndefined();
  expect(limitedUntil([3000, 1000, 2000], 2)).toBe(2000 + HOUR);
});

test('laterTime returns the later of two times', () => {
  expect([
    laterTime(1000, 2000),
    laterTime(2000, 1000),
    laterTime(1000, undefined),
    laterTime(undefined, 2000),
    laterTime(undefined, undefined),
  ]).toEqual([2000, 2000, 1000, 2000, undefined]);
});
