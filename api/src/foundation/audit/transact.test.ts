import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { buildPurchase, T0 } from '#api/test/build-rows.ts';
import { countMeanwhile } from '#api/test/read-metric.ts';
import { sealAudit } from '#api/test/sealed.ts';
import { type AuditEntry, canonicalJson, GENESIS_HASH } from './audit-entry.ts';
import { rollBack, transact } from './transact.ts';

/** The transaction's own connection, in the place of a repository. */
const REPOSITORIES = { trx: (trx: Db) => trx };

const ENTRY: AuditEntry = {
  at: T0,
  kind: 'key',
  code: 'issued',
  subject: 'device-row',
  detail: { jti: 'a', app: 'main' },
};

describeEachDatabase('the audit', (db) => {
  test('an event about something that is called error is committed as any other', async () => {
    const event = { at: T0, kind: 'run', code: 'opened', subject: 'error' } as const;
    expect(await transact(db(), {}, (tx) => Promise.resolve(tx.record(event)))).toBeUndefined();
  });

  const append = (changes: Partial<AuditEntry> = {}) =>
    transact(db(), REPOSITORIES, (tx) => Promise.resolve(tx.record({ ...ENTRY, ...changes })));
  const read = async () => (await sealAudit(db())).selectFrom('auditEvent').selectAll().orderBy('seq').execute();

  test('each row contains the SHA-256 of the previous one and its own canonical JSON', async () => {
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
      prevHash: '00000000',
      hash: createHash('sha256').update(text).digest('base64url'),
    });
    expect(second).toMatchObject({ seq: 2, detail: '{}', subject: null, prevHash: first?.hash.slice(0, 8) });
  });

  test('a failed transaction leaves no row and no gap', async () => {
    await append();
    const rolledBack = transact(db(), REPOSITORIES, (tx) => {
      tx.record(ENTRY);
      return Promise.reject(new Error('taken back'));
    });
    await expect(rolledBack).rejects.toThrow('taken back');
    await append();

    expect((await read()).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('a transaction rolled back by its caller returns its result and leaves nothing', async () => {
    const result = await transact<typeof REPOSITORIES, string>(db(), REPOSITORIES, async (tx) => {
      await tx.trx.insertInto('recentPurchase').values(buildPurchase()).execute();
      tx.record(ENTRY);
      return rollBack('refused');
    });

    expect(result).toBe('refused');
    expect(await db().selectFrom('recentPurchase').select('id').execute()).toEqual([]);
    expect(await read()).toEqual([]);
  });

  test('an event counts in the metrics once it is committed', async () => {
    const count = (act: () => Promise<unknown>) =>
      countMeanwhile([['site_events_total', { kind: ENTRY.kind, code: ENTRY.code }]], act);

    expect(await count(() => append())).toEqual([1]);
    expect(await count(() => transact(db(), {}, (tx) => Promise.resolve(rollBack(tx.record(ENTRY)))))).toEqual([0]);
    const failing = () =>
      transact(db(), {}, (tx) => {
        tx.record(ENTRY);
        return Promise.reject(new Error('taken back'));
      });
    expect(await count(() => failing().catch(() => undefined))).toEqual([0]);
  });

  test('recorded events are written at the end of the transaction', async () => {
    await transact(db(), REPOSITORIES, async (tx) => {
      tx.record(ENTRY);
      expect(await tx.trx.selectFrom('auditUnsealed').select('id').execute()).toEqual([]);
    });

    expect(await read()).toHaveLength(1);
  });

  test('two events of one transaction are adjacent in the chain', async () => {
    await transact(db(), REPOSITORIES, (tx) => {
      tx.record({ ...ENTRY, kind: 'run', code: 'completed' });
      tx.record(ENTRY);
      return Promise.resolve();
    });

    expect((await read()).map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'run'],
      [2, 'key'],
    ]);
  });
});

test('canonical JSON does not depend on the order of members', () => {
  expect(canonicalJson({ b: { d: null, c: 'é"' }, a: 1 })).toBe(canonicalJson({ a: 1, b: { c: 'é"', d: null } }));
});
