import { expect, test } from 'vitest';
import { isUniqueViolation } from '#api/foundation/db/dialect.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import { buildPass, buildRun, insertRun, T0 } from '#api/test/build-rows.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { blockDevices } from '#api/product/key-system/block-devices.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { openRun } from './open-run.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

const HOUR = 60 * 60 * 1000;

describeEachDatabase('opening runs', (db) => {
  const deps = () => ({ db: db(), limits: DEFAULT_LIMITS });

  test('threat 14: a device that starts twice has one run, and the second start costs no captcha', async () => {
    const first = await insertRun(db());

    const second = await openRun(deps(), buildRun());

    expect(second).toEqual({ kind: 'open', run: first });
    expect(await db().selectFrom('run').selectAll().execute()).toHaveLength(1);
  });

  test('a device that was blocked since it was looked at begins no run, and its captcha is left', async () => {
    const { id } = await createDevicesRepository(db()).ensure('main', 'hwid', T0);
    await createCaptchaRepository(db()).grant(buildPass());
    await blockDevices({ db: db() }, [id], { reason: 'abuse', until: T0 + HOUR }, { by: 'ada', at: T0 });

    expect(await openRun(deps(), buildRun())).toEqual({ kind: 'blocked' });
    expect(await db().selectFrom('run').selectAll().execute()).toEqual([]);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is', null).execute()).toHaveLength(1);
  });

  test('threat 14: fifty starts at once give one run', async () => {
    for (let passes = 0; passes < 50; passes++) await createCaptchaRepository(db()).grant(buildPass());

    const opened = await Promise.all(Array.from({ length: 50 }, () => openRun(deps(), buildRun())));

    expect(new Set(opened.map((one) => ('run' in one ? one.run.id : one.kind))).size).toBe(1);
    expect(await db().selectFrom('captchaPass').selectAll().where('consumedAt', 'is not', null).execute()).toHaveLength(
      1,
    );
  });

  test('threat 14: fifty browsers that start at once, each with a zone of its own, get one run', async () => {
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

  test('a browser has one open run of a device, whatever it asks for', async () => {
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const first = await insertRun(db(), { by });
    await createCaptchaRepository(db()).grant(buildPass());

    expect(await openRun(deps(), buildRun({ by, zoneHmac: 'another zone', isBeside: true }))).toMatchObject({
      run: { id: first.id, zoneHmac: 'zone' },
    });
    const second = db()
      .insertInto('run')
      .values({ ...first, id: 'second', zoneHmac: 'another zone' })
      .execute();
    expect(isUniqueViolation(await second.catch((error: unknown) => error))).toBe(true);
  });

  test('without a captcha pass nothing is left behind, not even the device', async () => {
    expect(await openRun(deps(), buildRun())).toEqual({ kind: 'no_pass' });

    expect(await db().selectFrom('device').selectAll().execute()).toEqual([]);
    expect(await db().selectFrom('run').selectAll().execute()).toEqual([]);
  });

  test('one visitor opens six runs an hour for a device, another one is not kept from it', async () => {
    const by = { browser: { hmac: 'browser', since: T0 - HOUR }, networks: ['network', 'yesterday'] as const };
    const another = { browser: { hmac: 'another browser', since: T0 - HOUR }, networks: by.networks };
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { by, at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    await createCaptchaRepository(db()).grant(buildPass());

    expect(await openRun(deps(), buildRun({ by, at: T0 + 10 }))).toEqual({ kind: 'limited', until: T0 + HOUR });
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
  ])('after six runs within the hour the next one $when: $opened', async ({ at, opened }) => {
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    await createCaptchaRepository(db()).grant(buildPass({ expiresAt: at + 1 }));

    const outcome = await openRun(deps(), buildRun({ at }));

    expect(outcome).toMatchObject(opened);
  });

  test('a start beyond the limit leaves nothing behind, not even when the device was last seen', async () => {
    for (let count = 0; count < 6; count++) {
      const run = await insertRun(db(), { at: T0 + count });
      await db().updateTable('run').set({ state: 'cancelled' }).where('id', '=', run.id).execute();
    }
    const before = await db().selectFrom('device').selectAll().execute();

    expect(await openRun(deps(), buildRun({ at: T0 + 10 }))).toMatchObject({ kind: 'limited' });
    expect(await db().selectFrom('device').selectAll().execute()).toEqual(before);
  });

  test('threat 15: a network opens no more than its number of runs in an hour, however many devices it names', async () => {
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

  test('a run that was idle for an hour is closed by the next start', async () => {
    const old = await insertRun(db());
    const next = await insertRun(db(), { at: T0 + HOUR });

    expect(next.id).not.toBe(old.id);
    expect(await createRunsRepository(db()).find(old.id)).toMatchObject({ state: 'expired', updatedAt: T0 + HOUR });
  });
});
