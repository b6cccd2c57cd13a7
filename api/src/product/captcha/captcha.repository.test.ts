import { expect, test } from 'vitest';
import { buildPass, ANONYMOUS, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { createCaptchaRepository } from './captcha.repository.ts';

describeEachDatabase('captcha passes', (db) => {
  test('threat 18: a captcha solution gives one pass', async () => {
    const passes = createCaptchaRepository(db());

    expect(await passes.grant(buildPass({ tokenHash: 'solution' }))).toBe(true);
    expect(await passes.grant(buildPass({ tokenHash: 'solution' }))).toBe(false);
  });

  test('threat 18: a captcha pass opens one run', async () => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass());

    expect(await passes.consume('hwid', 'android', ANONYMOUS, T0)).toBe(true);
    expect(await passes.consume('hwid', 'android', ANONYMOUS, T0)).toBe(false);
  });

  test('the captcha pass that expires first is consumed first', async () => {
    const passes = createCaptchaRepository(db());
    for (const expiresAt of [T0 + 2, T0 + 1]) await passes.grant(buildPass({ expiresAt }));
    const left = () => db().selectFrom('captchaPass').select('expiresAt').where('consumedAt', 'is', null).execute();

    expect(await passes.consume('hwid', 'android', ANONYMOUS, T0)).toBe(true);
    expect(await left()).toEqual([{ expiresAt: T0 + 2 }]);
    expect(await passes.consume('hwid', 'android', ANONYMOUS, T0)).toBe(true);
  });

  test.each([
    { why: 'of another device', hwid: 'other', os: 'android', at: T0 },
    { why: 'of another os', hwid: 'hwid', os: 'ios', at: T0 },
    { why: 'that has expired', hwid: 'hwid', os: 'android', at: T0 + 300_000 },
  ] as const)('threat 18: a captcha pass $why is rejected', async ({ hwid, os, at }) => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass());

    expect(await passes.consume(hwid, os, ANONYMOUS, at)).toBe(false);
  });

  test('a start without a system consumes any captcha pass of the device', async () => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass({ os: 'windows' }));

    expect(await passes.consume('hwid', undefined, ANONYMOUS, T0)).toBe(true);
  });

  const here = ANONYMOUS.networks;
  const elsewhere = ['another network', 'another network yesterday'] as const;
  const owner = { hmac: 'owner', since: T0 };
  const stranger = { hmac: 'stranger', since: T0 };
  test.each([
    {
      who: 'the browser that earned it, wherever it is now',
      pass: { visitorHmac: 'owner' },
      by: { browser: owner, networks: elsewhere },
      opens: true,
    },
    {
      who: 'its network, where it has lost its cookie',
      pass: { visitorHmac: 'owner' },
      by: { browser: undefined, networks: here },
      opens: true,
    },
    {
      who: 'its network of yesterday',
      pass: { ipHmac: 'network yesterday' },
      by: { browser: undefined, networks: here },
      opens: true,
    },
    { who: 'a browser that got its cookie afterwards', pass: {}, by: { browser: owner, networks: here }, opens: true },
    {
      who: 'another browser of the same network',
      pass: { visitorHmac: 'owner' },
      by: { browser: stranger, networks: here },
      opens: false,
    },
    {
      who: 'a browser of the same network whose cookie is younger than the pass',
      pass: { visitorHmac: 'owner' },
      by: { browser: { hmac: 'new cookie', since: T0 + 1 }, networks: here },
      opens: true,
    },
    {
      who: 'a browser elsewhere whose cookie is younger than the pass',
      pass: { visitorHmac: 'owner' },
      by: { browser: { hmac: 'new cookie', since: T0 + 1 }, networks: elsewhere },
      opens: false,
    },
    {
      who: 'a client elsewhere',
      pass: { visitorHmac: 'owner' },
      by: { browser: undefined, networks: elsewhere },
      opens: false,
    },
    { who: 'a browser elsewhere', pass: {}, by: { browser: stranger, networks: elsewhere }, opens: false },
  ])('a captcha pass for $who opens a run: $opens', async ({ pass, by, opens }) => {
    const passes = createCaptchaRepository(db());
    await passes.grant(buildPass(pass));

    expect(await passes.consume('hwid', 'android', by, T0)).toBe(opens);
  });
});

describeRace('captcha passes at once', (db) => {
  test('threat 18: a captcha pass is consumed by one of two simultaneous clients', async () => {
    await createCaptchaRepository(db()).grant(buildPass());
    const consume = (trx = db()) => createCaptchaRepository(trx).consume('hwid', 'android', ANONYMOUS, T0);

    expect(await runConcurrently(db(), consume, consume)).toBe(false);
  });
});
