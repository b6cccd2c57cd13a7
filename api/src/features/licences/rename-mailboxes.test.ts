import { expect, test } from 'vitest';
import { createPseudonyms } from '#api/features/devices/pseudonyms.ts';
import { buildLicence } from '#api/test/build-rows.ts';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { createEmailCipher } from './email-cipher.ts';

describeEachDatabase('licences of earlier releases', (db) => {
  test('the next start stores them under the one spelling of their address, in several transactions', async () => {
    const emails = createEmailCipher(TEST_PEPPER, createPseudonyms(TEST_PEPPER));
    const rows = Array.from({ length: 1001 }, (_, at) => ({
      ...buildLicence({ id: `licence-${String(at)}`, emailHmac: `as typed ${String(at)}` }),
      emailEnc: emails.seal(`licence-${String(at)}`, `Jo${String(at)}@BÜCHER.example`),
    }));
    await db().insertInto('licence').values(rows).execute();
    await db()
      .insertInto('licence')
      .values(buildLicence({ id: 'of nobody', emailHmac: null }))
      .execute();

    await createTestApi({ db: db() });

    const after = await db().selectFrom('licence').select(['id', 'emailHmac', 'emailIsCanonical']).execute();
    const hmacs = new Map(after.map(({ id, emailHmac }) => [id, emailHmac]));
    expect(hmacs.get('licence-1000')).toBe(emails.hmac('jo1000@xn--bcher-kva.example'));
    expect(hmacs.get('of nobody')).toBeNull();
    expect(new Set(after.map(({ emailIsCanonical }) => emailIsCanonical))).toEqual(new Set([1]));
  });
});
