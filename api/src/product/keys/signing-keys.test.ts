import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { generateSigningKey, readSigningKey, type SigningKey } from '#api/foundation/crypto/signing-key.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { createSigningKeysRepository } from './signing-keys.repository.ts';
import { createSigningKeysService } from './signing-keys.service.ts';

const HOUR = 60 * 60 * 1000;
const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((kid) => readSigningKey(generateSigningKey(kid))) as [
  SigningKey,
  SigningKey,
  SigningKey,
];

/** An operator who starts the server with different keys, at different times. */
function createOperator(db: Db) {
  let time = T0;
  const repository = createSigningKeysRepository(db);
  const service = createSigningKeysService({ db, now: () => time });

  return {
    ...service,
    start: (active: SigningKey, next?: SigningKey, emergencyKid?: string) =>
      service.open({ active, next, emergencyKid }),
    pass: (ms: number) => {
      time += ms;
    },
    /** The published keys, as `kid status`. */
    async published(): Promise<string[]> {
      return (await repository.listPublished(time)).map(({ kid, status }) => `${kid} ${status}`).sort();
    },
  };
}

describeEachDatabase('signing keys', (db) => {
  test('the first signing key of a site signs at once', async () => {
    const operator = createOperator(db());
    await operator.start(ONE);

    expect(await operator.published()).toEqual(['one active']);
  });

  test('a server with a slow clock starts with the active signing key', async () => {
    const operator = createOperator(db());
    await operator.start(ONE);
    operator.pass(-5);
    await operator.start(ONE);

    expect(await operator.published()).toEqual(['one active']);
  });

  test('a next signing key signs after 24 hours, and the former key stays published for 25', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    expect(await operator.published()).toEqual(['one active', 'two next']);

    operator.pass(24 * HOUR);
    await operator.start(TWO);
    expect(await operator.published()).toEqual(['one retired', 'two active']);
    operator.pass(25 * HOUR - 1);
    expect(await operator.published()).toEqual(['one retired', 'two active']);
    operator.pass(1);
    expect(await operator.published()).toEqual(['two active']);
  });

  test('an unpublished signing key is rejected as active and changes nothing', async () => {
    const operator = createOperator(db());
    await operator.start(ONE);

    await expect(operator.start(TWO)).rejects.toThrow(
      new EnvError(
        'SIGNING_KEY_FILE: the key two was never published. Name it in NEXT_SIGNING_KEY_FILE first; 24 hours later it may sign.',
      ),
    );
    expect(await operator.published()).toEqual(['one active']);
  });

  test('a next signing key is rejected before its 24 hours are over, with the time from which it may sign', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(24 * HOUR - 1);

    await expect(operator.start(TWO)).rejects.toThrow(
      'SIGNING_KEY_FILE: the key two was published less than 24 hours ago. It may sign from 2027-01-16T08:00:00.000Z on.',
    );
    expect(await operator.published()).toEqual(['one active', 'two next']);
  });

  test('a restart changes no signing key, not even once the next key may sign', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(23 * HOUR);
    await operator.start(ONE, TWO);
    operator.pass(1 * HOUR);
    await operator.start(TWO);
    await operator.start(TWO);

    expect(await operator.published()).toEqual(['one retired', 'two active']);
  });

  test('a replaced next key is withdrawn, and waits 24 hours again when it returns', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(20 * HOUR);
    await operator.start(ONE, THREE);
    expect(await operator.published()).toEqual(['one active', 'three next']);
    await operator.start(ONE);
    expect(await operator.published()).toEqual(['one active']);

    await operator.start(ONE, TWO);
    operator.pass(23 * HOUR);
    await expect(operator.start(TWO)).rejects.toThrow('less than 24 hours ago');
  });

  test('the former signing key can become active again within 25 hours', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(24 * HOUR);
    await operator.start(TWO);
    operator.pass(HOUR);
    await operator.start(ONE, TWO);
    expect(await operator.published()).toEqual(['one active', 'two retired']);

    await operator.start(TWO);
    expect(await operator.published()).toEqual(['one retired', 'two active']);
  });

  test('a signing key that is no longer published is rejected as active and as next', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(24 * HOUR);
    await operator.start(TWO);
    operator.pass(25 * HOUR);

    const over = 'the key one has been retired and is no longer published. Make a new one.';
    await expect(operator.start(ONE)).rejects.toThrow(`SIGNING_KEY_FILE: ${over}`);
    await expect(operator.start(ONE, undefined, 'one')).rejects.toThrow(`SIGNING_KEY_FILE: ${over}`);
    await expect(operator.start(TWO, ONE)).rejects.toThrow(`NEXT_SIGNING_KEY_FILE: ${over}`);
    expect(await operator.published()).toEqual(['two active']);
  });

  test('a rejected next key keeps the published one', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(24 * HOUR);
    await operator.start(TWO);
    operator.pass(25 * HOUR);
    await operator.start(TWO, THREE);

    await expect(operator.start(TWO, ONE)).rejects.toThrow('no longer published');
    expect(await operator.published()).toEqual(['three next', 'two active']);
  });

  test('in an emergency rotation a new key signs at once and no other key stays published', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(24 * HOUR);
    await operator.start(TWO);
    await operator.start(THREE, undefined, 'three');
    expect(await operator.published()).toEqual(['three active']);

    await expect(operator.start(TWO)).rejects.toThrow('no longer published');
  });

  test('in an emergency rotation the next key signs at once and its validity begins at that time', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    operator.pass(HOUR);
    await operator.start(TWO, undefined, 'two');

    expect(await operator.published()).toEqual(['two active']);
    expect(await createSigningKeysRepository(db()).find('two')).toMatchObject({ notBefore: T0 + HOUR });
  });

  test('publishing a key returns when it may sign, and a rotation before then is rejected', async () => {
    const operator = createOperator(db());
    await operator.start(ONE);
    expect(await operator.announce(TWO)).toEqual({ signsFrom: T0 + 24 * HOUR });
    operator.pass(HOUR);
    expect(await operator.announce(TWO)).toEqual({ signsFrom: T0 + 24 * HOUR });

    expect((await createSigningKeysRepository(db()).list()).map(({ kid }) => kid)).toEqual(['two', 'one']);
    expect((await createSigningKeysRepository(db()).listPublished(T0)).map(({ kid }) => kid)).toEqual(['two', 'one']);

    await expect(operator.rotate(TWO)).rejects.toThrow('less than 24 hours ago');
    operator.pass(23 * HOUR);
    await operator.rotate(TWO);
    expect(await operator.published()).toEqual(['one retired', 'two active']);
  });

  test('an emergency rotation of one key lets no other key sign', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, undefined, 'one');

    await expect(operator.start(TWO, undefined, 'one')).rejects.toThrow('was never published');
  });

  test('a different signing key with a known id is rejected', async () => {
    const operator = createOperator(db());
    await operator.start(ONE);
    const other = { ...TWO, kid: 'one' };

    await expect(operator.start(other)).rejects.toThrow(
      'SIGNING_KEY_FILE: the key one is not the one that is known under this id. Give it an id of its own.',
    );
    await expect(operator.start(ONE, other)).rejects.toThrow('NEXT_SIGNING_KEY_FILE: the key one is not');
    expect(await operator.published()).toEqual(['one active']);
  });

  test('two servers that start at once with the same first key both start', async () => {
    const operator = createOperator(db());

    await Promise.all([operator.start(ONE), operator.start(ONE)]);

    expect(await operator.published()).toEqual(['one active']);
  });

  test('of two servers that start at once with different first keys one is rejected', async () => {
    const operator = createOperator(db());

    const starts = await Promise.allSettled([operator.start(ONE), operator.start(TWO)]);

    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await operator.published()).toHaveLength(1);
  });

  test('every change of the signing keys is audited', async () => {
    const operator = createOperator(db());
    await operator.start(ONE, TWO);
    await operator.start(ONE, THREE);
    await operator.start(ONE, THREE);
    await operator.start(TWO, undefined, 'two');

    await sealAudit(db());
    const rows = await db().selectFrom('auditEvent').select(['kind', 'code', 'detail']).orderBy('seq').execute();
    expect(rows.map(({ kind, code, detail }) => `${kind} ${code} ${detail}`)).toEqual([
      'signing_key activated {"emergency":false,"kid":"one","revoked":0}',
      'signing_key published {"kid":"two"}',
      'signing_key withdrawn {"kid":"two"}',
      'signing_key published {"kid":"three"}',
      'signing_key activated {"emergency":true,"kid":"two","revoked":0}',
      'signing_key withdrawn {"kid":"three"}',
    ]);
  });

  test('a published key is replaced at once when no key has signed yet', async () => {
    const operator = createOperator(db());
    await operator.announce(TWO);
    await operator.rotate(ONE);

    expect(await operator.published()).toEqual(['one active', 'two next']);
  });

  test('a server with a slow clock may use an active signing key', async () => {
    const keys = createSigningKeysRepository(db());
    const key = { kid: 'ours', alg: 'EdDSA', publicJwk: '{}' };
    await keys.add({ ...key, status: 'next', notBefore: T0, notAfter: null });

    expect(await keys.promote(key, T0 - 1, false)).toBe(false);
    expect(await keys.promote(key, T0, false)).toBe(true);
    expect(await keys.promote(key, T0 - 1, false)).toBe(true);
  });
});

describeRace('simultaneous changes of signing keys', (db) => {
  test('of two simultaneous keys with one id the first is stored', async () => {
    const theirs = { kid: 'one', alg: 'EdDSA', publicJwk: '{"x":"theirs"}' };
    const publish = (trx: Db) =>
      createSigningKeysRepository(trx).add({ ...theirs, status: 'next', notBefore: T0 + 1, notAfter: null });
    const activate = () =>
      createOperator(db())
        .rotate(ONE)
        .catch((error: Error) => error.message);

    expect(await runConcurrently(db(), publish, activate)).toContain('is not the one that is known under this id');
    expect(await createSigningKeysRepository(db()).list()).toMatchObject([{ ...theirs, status: 'next' }]);
    expect(await (await sealAudit(db())).selectFrom('auditEvent').selectAll().execute()).toEqual([]);
  });
});
