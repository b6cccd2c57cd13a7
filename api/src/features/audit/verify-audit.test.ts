import { beforeEach, expect, test } from 'vitest';
import type { AuditEventRow } from '#api/db/schema.ts';
import { generateSigningKey, readSigningKey } from '#api/features/keys/signing-key.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { signAnchor } from './anchor.ts';
import { appendAudit } from './append-audit.ts';
import { hashEvent, type AuditDetail } from './audit-hash.ts';
import { createAuditRepository } from './audit.repository.ts';
import { createAuditService } from './audit.service.ts';
import { verifyAudit } from './verify-audit.ts';

const DAY = 24 * 60 * 60 * 1000;
const OURS = readSigningKey(generateSigningKey('ours'));
const THEIRS = readSigningKey(generateSigningKey('theirs'));
const keys = [OURS.publicJwk];

describeEachDatabase('the check of the audit', (db) => {
  let time: number;
  beforeEach(() => {
    time = T0;
  });

  const verify = (elsewhere: readonly string[] = []) => verifyAudit(db(), { keys, elsewhere });
  const readRow = (seq: number) => db().selectFrom('auditEvent').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  const removeRows = (from: number, to: number) => db().deleteFrom('auditEvent').where('seq', '>=', from).where('seq', '<=', to).execute();
  const service = () => createAuditService({ audit: createAuditRepository(db()), signingKey: () => OURS, retentionDays: 365, now: () => time });
  const anchor = () => service().anchorYesterday();

  async function append(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      await db()
        .transaction()
        .execute((trx) => appendAudit(trx, { at: time, kind: 'key', code: 'issued', subject: 'device-row', detail: { index } }));
    }
  }

  /** Five rows, an anchor over them, and three rows more. */
  async function writeChain(): Promise<void> {
    await append(5);
    time += DAY;
    await anchor();
    await append(3);
  }

  /** Writes a row over again with a hash that fits it, as somebody who knows the scheme would. */
  async function forge({ seq, at, kind, code, subject, prevHash }: AuditEventRow, detail: AuditDetail): Promise<string> {
    const hash = hashEvent(prevHash, { seq, at, kind, code, subject, detail });
    await db().updateTable('auditEvent').set({ prevHash, detail: JSON.stringify(detail), hash }).where('seq', '=', seq).execute();
    return hash;
  }

  test('an empty audit is whole, and so is one with anchors', async () => {
    expect(await verify()).toEqual({ ok: true, firstSeq: 1, lastSeq: 0, anchors: 0, anchoredUntil: 0 });

    await writeChain();

    expect(await verify()).toEqual({ ok: true, firstSeq: 1, lastSeq: 8, anchors: 1, anchoredUntil: 5 });
  });

  test('a long audit is read in parts', async () => {
    const row = { kind: 'key', code: 'issued', subject: null, detail: {}, at: T0 };
    let prevHash = '0'.repeat(64);
    const rows = Array.from({ length: 2001 }, (_, index) => {
      const seq = index + 1;
      const hash = hashEvent(prevHash, { ...row, seq });
      const made = { ...row, seq, detail: '{}', prevHash, hash };
      prevHash = hash;
      return made;
    });
    for (let from = 0; from < rows.length; from += 200) await db().insertInto('auditEvent').values(rows.slice(from, from + 200)).execute();
    await db().insertInto('auditHead').values({ id: 1, seq: 2001, hash: prevHash }).execute();

    expect(await verify()).toMatchObject({ ok: true, lastSeq: 2001 });
    await removeRows(1500, 1500);
    expect(await verify()).toEqual({ ok: false, seq: 1500, problem: 'missing' });
  });

  test.each([
    { column: 'at', value: T0 + 1 },
    { column: 'kind', value: 'run' },
    { column: 'code', value: 'revoked' },
    { column: 'subject', value: 'another-device' },
    { column: 'detail', value: '{"index":7}' },
    { column: 'detail', value: '{"index": 3}' },
    { column: 'detail', value: 'no JSON' },
    { column: 'hash', value: 'another' },
  ])('row 32: an edited row is named: its $column is now $value', async ({ column, value }) => {
    await writeChain();
    await db().updateTable('auditEvent').set({ [column]: value }).where('seq', '=', 4).execute();

    expect(await verify()).toEqual({ ok: false, seq: 4, problem: 'edited' });
  });

  test('row 32: a deleted row is named', async () => {
    await writeChain();
    await removeRows(3, 3);

    expect(await verify()).toEqual({ ok: false, seq: 3, problem: 'missing' });
  });

  test('row 32: deleted first rows are named', async () => {
    await writeChain();
    await removeRows(1, 5);

    expect(await verify()).toEqual({ ok: false, seq: 1, problem: 'missing' });
  });

  test('row 32: two rows that changed places are named', async () => {
    await writeChain();
    const [one, other] = [await readRow(2), await readRow(3)];
    await removeRows(2, 3);
    await db().insertInto('auditEvent').values([{ ...one, seq: 3 }, { ...other, seq: 2 }]).execute();

    expect(await verify()).toEqual({ ok: false, seq: 2, problem: 'edited' });
  });

  test('row 32: a row that was forged with a fitting hash is found at the row after it', async () => {
    await writeChain();
    await forge(await readRow(6), { index: 9 });

    expect(await verify()).toEqual({ ok: false, seq: 7, problem: 'unlinked' });
  });

  test('row 32: a chain that was written over again does not fit its anchor', async () => {
    await writeChain();
    let prevHash = (await readRow(3)).hash;
    for (let seq = 4; seq <= 8; seq++) prevHash = await forge({ ...(await readRow(seq)), prevHash }, { index: 9 });
    await db().updateTable('auditHead').set({ hash: prevHash }).execute();

    expect(await verify()).toEqual({ ok: false, seq: 5, problem: 'not_anchored' });
  });

  test('row 32: a deleted tail is named, also when the head was turned back to it', async () => {
    await writeChain();
    await removeRows(7, 8);
    expect(await verify()).toEqual({ ok: false, seq: 7, problem: 'missing' });

    await removeRows(4, 8);
    await db().updateTable('auditHead').set({ seq: 3, hash: (await readRow(3)).hash }).execute();
    expect(await verify()).toEqual({ ok: false, seq: 4, problem: 'missing' });
  });

  test('row 32: a row behind the head, and a head that is not the last row’s, are named', async () => {
    await writeChain();
    await db().updateTable('auditHead').set({ seq: 7 }).execute();
    expect(await verify()).toEqual({ ok: false, seq: 8, problem: 'unlinked' });

    await db().updateTable('auditHead').set({ seq: 8, hash: 'another' }).execute();
    expect(await verify()).toEqual({ ok: false, seq: 8, problem: 'unlinked' });
  });

  test('row 32: an anchor that somebody else has signed, or whose row was edited, is named', async () => {
    await writeChain();
    const { day, firstSeq, lastSeq, lastHash, jws } = await db().selectFrom('auditAnchor').selectAll().executeTakeFirstOrThrow();
    await db().updateTable('auditAnchor').set({ jws: signAnchor(THEIRS, { day, firstSeq, lastSeq, lastHash }) }).execute();
    expect(await verify()).toEqual({ ok: false, seq: 5, problem: 'anchor_forged' });

    await db().updateTable('auditAnchor').set({ jws, lastHash: 'another' }).execute();
    expect(await verify()).toEqual({ ok: false, seq: 5, problem: 'anchor_forged' });
  });

  test('row 32: an anchor kept elsewhere finds a tail that was deleted together with its anchors', async () => {
    await writeChain();
    const { jws } = await db().selectFrom('auditAnchor').select('jws').executeTakeFirstOrThrow();
    await db().deleteFrom('auditAnchor').execute();
    await removeRows(4, 8);
    await db().updateTable('auditHead').set({ seq: 3, hash: (await readRow(3)).hash }).execute();

    expect(await verify()).toMatchObject({ ok: true, lastSeq: 3 });
    expect(await verify([jws])).toEqual({ ok: false, seq: 4, problem: 'missing' });
    await expect(verify(['a.b.c'])).rejects.toThrow('An anchor that was given is not signed by a key of this site.');
  });

  test('a day is anchored once, when it has ended', async () => {
    await append(2);
    const today = new Date(T0).toISOString().slice(0, 10);
    expect(await anchor()).not.toMatchObject({ day: today });

    time += DAY;
    expect(await anchor()).toMatchObject({ day: today, firstSeq: 1, lastSeq: 2, kid: 'ours' });
    await append(1);
    expect(await anchor()).toBeUndefined();
  });

  test('two servers that anchor a day at once leave one anchor', async () => {
    await append(2);

    const made = await Promise.all([anchor(), anchor()]);

    expect(made.filter((row) => row !== undefined)).toHaveLength(1);
    expect(await verify()).toMatchObject({ ok: true, anchors: 1 });
  });

  /** A row on each of 400 days, an anchor after each. The newest is that of day 399, when what the anchor of day 33 holds may go. */
  async function writeYear(): Promise<void> {
    for (let day = 0; day < 400; day++) {
      await append(1);
      time += DAY;
      await anchor();
    }
  }

  test('rows go when they are a year old, and what is kept stays a chain', async () => {
    await writeYear();
    const keptFrom = 35;

    expect(await verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 400, anchors: 400 });
    expect(await service().removeOld(20)).toBe(20);
    expect(await verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 400 });
    expect(await service().removeOld(20)).toBe(14);
    expect(await service().removeOld(20)).toBe(0);

    expect(await verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 400, anchors: 367 });
    const { at } = await readRow(keptFrom);
    expect(time - at).toBeGreaterThanOrEqual(365 * DAY);
    await removeRows(keptFrom, keptFrom);
    expect(await verify()).toEqual({ ok: false, seq: keptFrom, problem: 'missing' });
  });

  test('row 32: without the anchor that the oldest row follows nobody can say that it is the oldest', async () => {
    await writeYear();
    await service().removeOld(100);
    await db().deleteFrom('auditAnchor').where('lastSeq', '=', 34).execute();

    expect(await verify()).toEqual({ ok: false, seq: 34, problem: 'missing' });
  });
});
