import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { buildPass, T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createCaptchaRepository } from './captcha.repository.ts';
import { createCaptchaService } from './captcha.service.ts';

describeEachDatabase('captcha solutions', (db) => {
  test('threat 18: a captcha solution that an earlier version stored is rejected as used', async () => {
    const passes = createCaptchaRepository(db());
    const service = createCaptchaService({
      db: db(),
      provider: { id: 'altcha', verify: (token) => Promise.resolve(token) },
      pseudonyms: createPseudonyms(TEST_PEPPER),
      passMs: 1000,
      now: () => T0,
    });
    const handIn = (token: string) =>
      service.verify({
        token,
        hwid: 'device-1234',
        os: 'android',
        advertiser: null,
        visitorHmac: null,
        ipHmac: 'network',
      });
    await passes.grant(buildPass({ tokenHash: '_zS0lSLUZbxz6kGUo_ziGYNvluKbr5erT2DpogcwG7M' }));

    expect(await handIn('a solution')).toBe(false);
    expect(await handIn('another solution')).toBe(true);
  });
});
