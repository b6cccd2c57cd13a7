import { expect, test } from 'vitest';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, meet } from '#api/test/databases/describe-each-database.ts';
import { sealed } from '#api/test/sealed.ts';
import { activateSigningKey } from './signing-keys.service.ts';
import { createSigningKeysRepository } from './signing-keys.repository.ts';

const OURS = { kid: 'ours', alg: 'EdDSA', publicJwk: '{"x":"ours"}' };
const NEXT = { status: 'next', notBefore: T0 + 1, notAfter: null } as const;
const AT = { at: T0, oldUntil: T0, isEmergency: false };

describeEachDatabase('activations', (db) => {
  test('where a key was published but none has signed, another one may sign at once', async () => {
    const keys = createSigningKeysRepository(db());
    await keys.add({ ...OURS, kid: 'published', ...NEXT });

    expect(await activateSigningKey({ db: db() }, OURS, AT)).toEqual({ kind: 'active' });
    expect(await keys.find('ours')).toMatchObject({ status: 'active' });
  });
});

describeRace('activations at once', (db) => {
  test('of two keys with one id, only the first is known under it', async () => {
    const theirs = { ...OURS, publicJwk: '{"x":"theirs"}' };
    const publish = (trx = db()) => createSigningKeysRepository(trx).add({ ...theirs, ...NEXT });
    const activate = () => activateSigningKey({ db: db() }, OURS, AT);

    expect(await meet(db(), publish, activate)).toEqual({ kind: 'taken' });
    expect(await createSigningKeysRepository(db()).list()).toMatchObject([{ ...theirs, status: 'next' }]);
    expect(await (await sealed(db())).selectFrom('auditEvent').selectAll().execute()).toEqual([]);
  });
});
