import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey, type SigningKey } from '#api/foundation/crypto/signing-key.ts';
import { OURS, useAuditChain } from '#api/test/audit-chain.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { signAnchor } from './anchor.ts';

const [THEIRS, ANOTHER] = ['theirs', 'another'].map((kid) => readSigningKey(generateSigningKey(kid))) as [
  SigningKey,
  SigningKey,
];

describeEachDatabase('the check of the audit’s rows', (db) => {
  const chain = useAuditChain(db);

  test.each([
    { column: 'at', value: T0 + 1 },
    { column: 'kind', value: 'run' },
    { column: 'code', value: 'revoked' },
    { column: 'subject', value: 'another-device' },
    { column: 'detail', value: '{"index":7}' },
    { column: 'detail', value: '{"index": 3}' },
    { column: 'detail', value: 'no JSON' },
    { column: 'hash', value: 'another' },
  ])('threat 32: an edited row is reported: its $column is now $value', async ({ column, value }) => {
    await chain.write();
    await db()
      .updateTable('auditEvent')
      .set({ [column]: value })
      .where('seq', '=', 4)
      .execute();

    expect(await chain.verify()).toEqual({ ok: false, seq: 4, problem: 'edited' });
  });

  test('threat 32: a row that does not name the one before it is reported', async () => {
    await chain.write();
    await db().updateTable('auditEvent').set({ prevHash: '' }).where('seq', '=', 4).execute();

    expect(await chain.verify()).toEqual({ ok: false, seq: 4, problem: 'unlinked' });
  });

  test('threat 32: a deleted row is reported', async () => {
    await chain.write();
    await chain.removeRows(3, 3);

    expect(await chain.verify()).toEqual({ ok: false, seq: 3, problem: 'missing' });
  });

  test('threat 32: deleted first rows are reported', async () => {
    await chain.write();
    await chain.removeRows(1, 5);

    expect(await chain.verify()).toEqual({ ok: false, seq: 1, problem: 'missing' });
  });

  test('threat 32: two swapped rows are reported', async () => {
    await chain.write();
    const [one, other] = [await chain.readRow(2), await chain.readRow(3)];
    await chain.removeRows(2, 3);
    await db()
      .insertInto('auditEvent')
      .values([
        { ...one, seq: 3 },
        { ...other, seq: 2 },
      ])
      .execute();

    expect(await chain.verify()).toEqual({ ok: false, seq: 2, problem: 'unlinked' });
  });

  test('threat 32: a forged row with a matching hash is detected at the next row', async () => {
    await chain.write();
    await chain.forge({ ...(await chain.readRow(6)), prevHash: (await chain.readRow(5)).hash }, { index: 9 });

    expect(await chain.verify()).toEqual({ ok: false, seq: 7, problem: 'unlinked' });
  });

  test('threat 32: a rewritten chain does not match its anchor', async () => {
    await chain.write();
    let prevHash = (await chain.readRow(3)).hash;
    for (let seq = 4; seq <= 8; seq++)
      prevHash = await chain.forge({ ...(await chain.readRow(seq)), prevHash }, { index: 9 });
    await db().updateTable('auditHead').set({ hash: prevHash }).execute();

    expect(await chain.verify()).toEqual({ ok: false, seq: 5, problem: 'not_anchored' });
  });

  test('threat 32: deleted last rows are reported, even if the head was reset to match', async () => {
    await chain.write();
    await chain.removeRows(7, 8);
    expect(await chain.verify()).toEqual({ ok: false, seq: 7, problem: 'missing' });

    await chain.removeRows(4, 8);
    await chain.turnHead(3);
    expect(await chain.verify()).toEqual({ ok: false, seq: 4, problem: 'missing' });
  });

  test('threat 32: a row after the head, and a head that does not match the last row, are reported', async () => {
    await chain.write();
    await db().updateTable('auditHead').set({ seq: 7 }).execute();
    expect(await chain.verify()).toEqual({ ok: false, seq: 8, problem: 'unlinked' });

    await db().updateTable('auditHead').set({ seq: 8, hash: 'another' }).execute();
    expect(await chain.verify()).toEqual({ ok: false, seq: 8, problem: 'unlinked' });
  });

  test('threat 32: an anchor with a foreign signature, or with an edited row, is reported', async () => {
    await chain.write();
    const { day, firstSeq, lastSeq, lastHash, jws } = await db()
      .selectFrom('auditAnchor')
      .selectAll()
      .executeTakeFirstOrThrow();
    await db()
      .updateTable('auditAnchor')
      .set({ jws: await signAnchor(THEIRS, { day, firstSeq, lastSeq, lastHash }) })
      .execute();
    const keys = [ANOTHER.publicJwk, OURS.publicJwk];
    expect(await chain.verify({ keys })).toEqual({ ok: false, day, problem: 'anchor_forged' });

    for (const kid of ['ours', 'theirs']) {
      await db().updateTable('auditAnchor').set({ jws, lastHash: 'another', kid }).execute();
      expect(await chain.verify({ keys })).toEqual({ ok: false, day, problem: 'anchor_forged' });
    }
  });

  test('threat 32: an anchor stored elsewhere detects last rows that were deleted together with their anchors', async () => {
    await chain.write();
    const { jws } = await db().selectFrom('auditAnchor').select('jws').executeTakeFirstOrThrow();
    await db().deleteFrom('auditAnchor').execute();
    await chain.removeRows(4, 8);
    await chain.turnHead(3);

    expect(await chain.verify({ anchors: [jws] })).toEqual({ ok: false, seq: 4, problem: 'missing' });
    expect(await chain.verifyKept()).toEqual({ ok: false, seq: 4, problem: 'missing' });
    expect(await chain.verify({ anchors: ['a.b.c'] })).toEqual({ ok: false, problem: 'not_an_anchor' });
  });
});
