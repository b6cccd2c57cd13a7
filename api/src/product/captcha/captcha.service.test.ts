import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { buildPass, T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createCaptchaRepository } from './captcha.repository.ts';
import { createCaptchaService } from './captcha.service.ts';

describeEachDatabase('captcha solutions', (db) => {
  /** @param solutionOf the solution that the provider finds in a token */
  function openService(solutionOf: (token: string) => string) {
    const service = createCaptchaService({
      db: db(),
      provider: { id: 'altcha', verify: (token) => Promise.resolve(solutionOf(token)) },
      pseudonyms: createPseudonyms(TEST_PEPPER),
      passMs: 1000,
      now: () => T0,
    });
    const answer = { os: 'android', advertiser: null, visitorHmac: null, ipHmac: 'network' } as const;
    return (token: string) => service.verify({ token, hwid: 'device-1234', ...answer });
  }

  test('threat 18: one solution in two spellings gives one pass', async () => {
    const handIn = openService((token) => token.replace(/=+$/, ''));

    expect(await handIn('c29sdXRpb24')).toBe(true);
    expect(await handIn('c29sdXRpb24=')).toBe(false);
  });

  test('threat 18: a captcha solution that an earlier version stored is rejected as used', async () => {
    const passes = createCaptchaRepository(db());
    const handIn = openService((token) => token);
    await passes.grant(buildPass({ tokenHash: '_zS0lSLUZbxz6kGUo_ziGYNvluKbr5erT2DpogcwG7M' }));

    expect(await handIn('a solution')).toBe(false);
    expect(await handIn('another solution')).toBe(true);
  });
});
