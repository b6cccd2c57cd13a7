import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { createSigningKeysRepository } from './signing-keys.repository.ts';

const KEY = { kid: 'ours', alg: 'EdDSA', publicJwk: '{}', notBefore: T0, notAfter: null };

describeEachDatabase('stored signing keys', (db) => {
  test('a key may not sign early, but once it signs, a server whose clock is behind may use it', async () => {
    const keys = createSigningKeysRepository(db());
    await keys.add({ ...KEY, status: 'next' });

    expect(await keys.promote(KEY, T0 - 1, false)).toBe(false);
    expect(await keys.promote(KEY, T0, false)).toBe(true);
    expect(await keys.promote(KEY, T0 - 1, false)).toBe(true);
  });
});
