import { expect, test, vi } from 'vitest';
import { OURS } from '#api/test/audit-chain.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace } from '#api/test/databases/describe-each-database.ts';
import { readMetric } from '#api/test/read-metric.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { sealAll, sealAudit } from './seal-audit.ts';
import { createSealingRepository } from './sealing.repository.ts';
import { transact } from './transact.ts';
import { verifyAudit } from './verify-audit.ts';

const record = (db: Db, index: number) =>
  transact(db, {}, (tx) =>
    Promise.resolve(tx.record({ at: T0, kind: 'key', code: 'issued', subject: 'device-row', detail: { index } })),
  );
const readChain = (db: Db) => db.selectFrom('auditEvent').selectAll().orderBy('seq').execute();
const verify = (db: Db) => verifyAudit(db, { trusted: { keys: [OURS.publicJwk], anchors: [], since: T0 }, now: T0 });

describeEachDatabase('sealing the audit', (db) => {
  test('sealing appends recorded events to the chain in their order', async () => {
    for (const index of [1, 2, 3]) await record(db(), index);
    expect(await readChain(db())).toEqual([]);

    expect(await sealAudit(db(), 2)).toBe(2);
    expect(await sealAudit(db(), 2)).toBe(1);
    expect(await sealAudit(db(), 2)).toBe(0);

    const rows = await readChain(db());
    expect(rows.map(({ seq, detail }) => [seq, detail])).toEqual([
      [1, '{"index":1}'],
      [2, '{"index":2}'],
      [3, '{"index":3}'],
    ]);
    expect(await db().selectFrom('auditUnsealed').select('id').execute()).toEqual([]);
  });

  test('fifty events sealed concurrently by five servers form one chain without a gap', async () => {
    await Promise.all([
      ...Array.from({ length: 50 }, (_, index) => record(db(), index)),
      ...Array.from({ length: 5 }, () => sealAudit(db(), 7)),
    ]);
    await Promise.all(Array.from({ length: 5 }, () => sealAll(db())));

    const rows = await readChain(db());
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(rows.slice(1).every(({ prevHash }, at) => prevHash === rows[at]?.hash.slice(0, 8))).toBe(true);
    expect(await verify(db())).toMatchObject({ ok: true, lastSeq: 50, unsealed: 0 });
  });

  test('the oldest events are sealed first, whatever the row order of the database', async () => {
    for (const index of [1, 2, 3, 4, 5]) await record(db(), index);
    // PostgreSQL keeps what was changed behind the rest.
    await db()
      .updateTable('auditUnsealed')
      .set((eb) => ({ at: eb.ref('at') }))
      .where('detail', '=', '{"index":1}')
      .execute();

    await sealAudit(db(), 2);
    await sealAudit(db());

    expect((await readChain(db())).map(({ detail }) => detail)).toEqual([1, 2, 3, 4, 5].map((n) => `{"index":${n}}`));
  });

  test('more events than fit in one transaction are all sealed', async () => {
    const event = { at: T0, kind: 'key', code: 'issued', subject: null, detail: '{}' } as const;
    await db()
      .insertInto('auditUnsealed')
      .values(Array.from({ length: 501 }, () => event))
      .execute();

    await sealAll(db());

    expect(await verify(db())).toMatchObject({ ok: true, lastSeq: 501, unsealed: 0 });
  });

  test('the metrics count successful sealings, and not failed ones', async () => {
    const readCount = async () => (await readMetric('site_audit_sealings_total')) ?? 0;
    const before = await readCount();
    await record(db(), 1);
    const refusing = vi.spyOn(db(), 'transaction').mockImplementation(() => {
      throw new Error('not now');
    });
    await expect(sealAll(db())).rejects.toThrow('not now');
    expect(await readCount()).toBe(before);

    refusing.mockRestore();
    await sealAll(db());
    expect(await readCount()).toBe(before + 1);
  });

  test('threat 32: verification reports the number of unsealed events, without counting sealed rows', async () => {
    await record(db(), 1);
    expect(await verify(db())).toMatchObject({ ok: true, lastSeq: 0, unsealed: 1 });
    await sealAll(db());
    await record(db(), 2);
    expect(await verify(db())).toMatchObject({ ok: true, lastSeq: 1, unsealed: 1 });

    await db().deleteFrom('auditEvent').execute();
    expect(await verify(db())).toMatchObject({ ok: false, problem: 'missing' });
  });

  test.each(['{"a": 1}', 'null', '[]', '1', '"x"', '{', ''])(
    'threat 32: an event with the foreign detail %j is sealed as text and blocks no other event',
    async (detail) => {
      await record(db(), 1);
      await db()
        .insertInto('auditUnsealed')
        .values({ at: T0, kind: 'key', code: 'issued', subject: null, detail })
        .execute();
      await record(db(), 2);

      expect(await sealAudit(db())).toBe(3);
      expect((await readChain(db())).map((row) => row.detail)).toEqual([
        '{"index":1}',
        JSON.stringify({ unreadable: detail }),
        '{"index":2}',
      ]);
      expect(await verify(db())).toMatchObject({ ok: true, lastSeq: 3, unsealed: 0 });
    },
  );
});

describeRace('recording while the chain is busy', (db) => {
  test('a transaction that records an event does not wait for the head of the chain', async () => {
    await db()
      .transaction()
      .execute(async (trx) => {
        await createSealingRepository(trx).lockHead();
        await record(db(), 1);
      });

    expect(await verify(db())).toMatchObject({ ok: true, unsealed: 1 });
  });
});
