import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { T0 } from '#api/test/build-rows.ts';
import { appendAudit } from './append-audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { canonicalJson, GENESIS_HASH } from './audit-hash.ts';

const ENTRY: AuditEntry = {
  at: T0,
  kind: 'key',
  code: 'issued',
  subject: 'device-row',
  detail: { jti: 'a', app: 'main' },
};

describeEachDatabase('the audit', (db) => {
  const append = (changes: Partial<AuditEntry> = {}) =>
    db()
      .transaction()
      .execute((trx) => appendAudit(trx, { ...ENTRY, ...changes }));
  const read = () => db().selectFrom('auditEvent').selectAll().orderBy('seq').execute();

  test('each row is bound to the one before by a hash that can be made by hand', async () => {
    await append();
    await append({ subject: null, detail: {} });

    const [first, second] = await read();
    const text = `${GENESIS_HASH}\n{"at":${String(T0)},"code":"issued","detail":{"app":"main","jti":"a"},"kind":"key","seq":1,"subject":"device-row"}`;
    expect(first).toEqual({
      seq: 1,
      at: T0,
      kind: 'key',
      code: 'issued',
      subject: 'device-row',
      detail: '{"app":"main","jti":"a"}',
      prevHash: GENESIS_HASH,
      hash: createHash('sha256').update(text).digest('hex'),
    });
    expect(second).toMatchObject({ seq: 2, detail: '{}', subject: null, prevHash: first?.hash });
  });

  test('fifty at once get fifty numbers without a gap, each bound to the one before', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => append({ detail: { index } })));

    const rows = await read();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(rows.map(({ prevHash }) => prevHash)).toEqual([GENESIS_HASH, ...rows.slice(0, -1).map(({ hash }) => hash)]);
  });

  test('a change that is taken back leaves no row and no gap', async () => {
    await append();
    const undone = db()
      .transaction()
      .execute(async (trx) => {
        await appendAudit(trx, ENTRY);
        throw new Error('taken back');
      });
    await expect(undone).rejects.toThrow('taken back');
    await append();

    expect((await read()).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('two events of one change stand one after the other', async () => {
    await db()
      .transaction()
      .execute(async (trx) => {
        await appendAudit(trx, { ...ENTRY, kind: 'run', code: 'completed' });
        await appendAudit(trx, ENTRY);
      });

    expect((await read()).map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'run'],
      [2, 'key'],
    ]);
  });
});

test('one object has one spelling, however its members are ordered', () => {
  expect(canonicalJson({ b: { d: null, c: 'é"' }, a: 1 })).toBe(canonicalJson({ a: 1, b: { c: 'é"', d: null } }));
});
