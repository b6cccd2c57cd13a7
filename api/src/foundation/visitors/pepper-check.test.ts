import { expect, test } from 'vitest';
import { EnvError } from '#api/foundation/settings/env.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { createPepperCheckRepository } from './pepper-check.repository.ts';
import { bindPepper, requirePepper } from './pepper-check.ts';

const KEY = readSigningKey(generateSigningKey('ours'));
const OTHER_PEPPER = 'another pepper, as long as the first one is';

describeEachDatabase('the check of the pepper', (db) => {
  const stored = () => createPepperCheckRepository(db()).find();

  test('a server with a different pepper for the same database does not start, and the first one still does', async () => {
    await createTestApi({ db: db(), signingKey: KEY });
    const before = await (await sealAudit(db())).selectFrom('auditEvent').selectAll().execute();

    await expect(createTestApi({ db: db(), signingKey: KEY, pepper: OTHER_PEPPER })).rejects.toThrow(EnvError);
    await expect(createTestApi({ db: db(), signingKey: KEY, pepper: OTHER_PEPPER })).rejects.toThrow(
      'HWID_PEPPER: is not the one that this database was made with',
    );

    expect(await (await sealAudit(db())).selectFrom('auditEvent').selectAll().execute()).toEqual(before);
    await createTestApi({ db: db(), signingKey: KEY });
  });

  test('of two servers that start concurrently with different peppers one is rejected', async () => {
    const ends = await Promise.allSettled([bindPepper(db(), TEST_PEPPER), bindPepper(db(), OTHER_PEPPER)]);

    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a pepper check does not store the pepper', async () => {
    await requirePepper(db(), OTHER_PEPPER);
    expect(await stored()).toBeUndefined();

    await bindPepper(db(), TEST_PEPPER);
    await expect(requirePepper(db(), OTHER_PEPPER)).rejects.toThrow('HWID_PEPPER');
    // What a server of an earlier version has kept.
    expect(await stored()).toBe('FubvmBVVr51kKrr2wlWfSzTn3JMix73wn9Wto97ZKbU');
  });
});
