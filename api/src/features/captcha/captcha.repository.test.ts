import { expect, test } from 'vitest';
import { buildPass, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, meet } from '#api/test/describe-each-database.ts';
import { createCaptchaRepository } from './captcha.repository.ts';

describeEachDatabase('captcha passes', (db) => {
  test('row 18: one solution gives one pass', async () => {
    const passes = createCaptchaRepository(db());

    expect(await passes.grant(buildPass({ tokenHash: 'solution' }))).toBe(true);
    expect(await passes.grant(buildPass({ tokenHash: 'solution' }))).toBe(false);
  });

  test('row 18: one pass opens one run', async () => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass());

    expect(await passes.consume('hwid', 'android', T0)).toBe(true);
    expect(await passes.consume('hwid', 'android', T0)).toBe(false);
  });

  test.each([
    { why: 'of another device', hwid: 'other', os: 'android', at: T0 },
    { why: 'of another os', hwid: 'hwid', os: 'ios', at: T0 },
    { why: 'that has run out', hwid: 'hwid', os: 'android', at: T0 + 300_000 },
  ] as const)('row 18: a pass $why is none', async ({ hwid, os, at }) => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass());

    expect(await passes.consume(hwid, os, at)).toBe(false);
  });

  test('where the app does not say its os, any pass of the device will do', async () => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass({ os: 'windows' }));

    expect(await passes.consume('hwid', undefined, T0)).toBe(true);
  });
});

describeRace('captcha passes at once', (db) => {
  test('row 18: a pass that somebody else took meanwhile opens nothing', async () => {
    await createCaptchaRepository(db()).grant(buildPass());
    const consume = (trx = db()) => createCaptchaRepository(trx).consume('hwid', 'android', T0);

    expect(await meet(db(), consume, consume)).toBe(false);
  });
});
