import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEventRow } from '#api/db/schema.ts';
import { generateSigningKey, readSigningKey } from '#api/features/keys/signing-key.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';
import { signAnchor } from './anchor.ts';
import { appendAudit } from './append-audit.ts';
import { hashEvent, type AuditDetail } from './audit-hash.ts';
import { createAuditRepository } from './audit.repository.ts';
import { createAuditTrust, type AuditTrust, type TrustedAudit } from './audit-trust.ts';
import { createAuditService } from './audit.service.ts';
import { utcDay } from './utc-day.ts';
import { verifyAudit } from './verify-audit.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const OURS = readSigningKey(generateSigningKey('ours'));
const THEIRS = readSigningKey(generateSigningKey('theirs'));
const keys = [OURS.publicJwk];

describeEachDatabase('the check of the audit', (db) => {
  let time: number;
  let trust: AuditTrust;
  beforeEach(() => {
    time = T0;
    trust = createAuditTrust(mkdtempSync(join(tmpdir(), 'audit-')));
  });
  afterEach(() => rmSync(trust.folder, { recursive: true }));

  /** By the keys alone, unless more was kept outside the database. */
  const verify = (kept: Partial<TrustedAudit> = {}) => verifyAudit(db(), { trusted: { keys, anchors: [], since: undefined, ...kept }, now: time });
  const verifyKept = () => verify({ anchors: trust.read().anchors });
  const readRow = (seq: number) => db().selectFrom('auditEvent').selectAll().where('seq', '=', seq).executeTakeFirstOrThrow();
  const removeRows = (from: number, to: number) => db().deleteFrom('auditEvent').where('seq', '>=', from).where('seq', '<=', to).execute();
  const service = (key = OURS, kept = trust) => createAuditService({ audit: createAuditRepository(db()), trust: kept, signingKey: () => key, retentionDays: 365, now: () => time });
  const anchor = async (key = OURS) => (await service(key).anchorEndedDays()).at(-1);
  const turnHead = async (seq: number) => db().updateTable('auditHead').set({ seq, hash: (await readRow(seq)).hash }).execute();

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

  test('an audit with anchors is whole', async () => {
    await writeChain();

    expect(await verify()).toEqual({ ok: true, firstSeq: 1, lastSeq: 8, anchors: 1, anchoredUntil: 5, since: undefined });
    expect(await verifyKept()).toMatchObject({ ok: true, anchors: 1 });
  });

  test('row 32: an emptied audit is none, on a new site as well', async () => {
    expect(await verify({ since: time })).toEqual({ ok: false, problem: 'no_rows' });

    await writeChain();
    for (const table of ['auditEvent', 'auditHead', 'auditAnchor'] as const) await db().deleteFrom(table).execute();

    expect(await verify()).toEqual({ ok: false, problem: 'no_rows' });
    expect(await verifyKept()).toEqual({ ok: false, problem: 'no_rows' });
  });

  test('row 32: what goes on after the audit was emptied is not signed, and is found', async () => {
    await writeChain();
    for (const table of ['auditEvent', 'auditHead', 'auditAnchor'] as const) await db().deleteFrom(table).execute();
    await append(8);

    for (let day = 0; day < 3; day++) {
      await expect(anchor()).rejects.toThrow(/^Row 5 is no longer the one that was signed for 2027-01-15 /);
      expect(await db().selectFrom('auditAnchor').select('day').execute()).toEqual([]);
      time += DAY;
    }

    expect(await verifyKept()).toEqual({ ok: false, problem: 'not_anchored', seq: 5 });
  });

  test('row 32: a site that is new has no anchors yet; one whose anchors were removed is not new', async () => {
    await append(3);

    expect(await verify({ since: time })).toMatchObject({ ok: true, anchors: 0, lastSeq: 3, since: time });
    expect(await verify()).toEqual({ ok: false, problem: 'no_anchors' });
    time += DAY;
    expect(await verify({ since: T0 })).toEqual({ ok: false, problem: 'no_anchors' });

    await anchor();
    await db().deleteFrom('auditAnchor').execute();
    expect(await verify({ since: time, anchors: trust.read().anchors })).toEqual({ ok: false, problem: 'no_anchors' });
  });

  test('row 32: a chain that was forged with all its anchors, by a key that was put into the database, is found', async () => {
    await writeChain();
    let prevHash = '0'.repeat(64);
    for (let seq = 1; seq <= 8; seq++) prevHash = await forge({ ...(await readRow(seq)), prevHash }, { index: 9 });
    await db().updateTable('auditHead').set({ hash: prevHash }).execute();
    const { day, firstSeq } = await db().selectFrom('auditAnchor').selectAll().executeTakeFirstOrThrow();
    const lastHash = (await readRow(5)).hash;
    await db().insertInto('signingKey').values({ kid: 'theirs', alg: 'EdDSA', publicJwk: JSON.stringify(THEIRS.publicJwk), status: 'retired', notBefore: 0, notAfter: null }).execute();
    await db().updateTable('auditAnchor').set({ kid: 'theirs', lastHash, jws: signAnchor(THEIRS, { day, firstSeq, lastSeq: 5, lastHash }) }).execute();

    expect(await verify()).toEqual({ ok: false, problem: 'unknown_key', day });
    await expect(anchor()).rejects.toThrow(`The anchor of ${day} is not signed by a key of this site`);
  });

  test('row 32: a day without its anchor is named, in the middle and at the end', async () => {
    await append(1);
    for (let day = 0; day < 5; day++) {
      time += DAY;
      await anchor();
    }
    const days = (await db().selectFrom('auditAnchor').select('day').orderBy('day').execute()).map(({ day }) => day);
    expect(await verify()).toMatchObject({ ok: true, anchors: 5 });

    time += DAY;
    expect(await verify()).toEqual({ ok: false, problem: 'no_anchor', day: utcDay(time - DAY) });
    await anchor();
    await db().deleteFrom('auditAnchor').where('day', '=', days[2] ?? '').execute();
    expect(await verify()).toEqual({ ok: false, problem: 'no_anchor', day: days[2] });
    expect(await verify({ since: Date.parse(days[2] ?? '') })).toEqual({ ok: false, problem: 'no_anchor', day: days[2] });
    // What was signed before the first key was kept is of another time.
    expect(await verify({ since: Date.parse(days[3] ?? '') })).toMatchObject({ ok: true });
  });

  test('within the first hour of a day its eve may still be without its anchor', async () => {
    await append(1);
    time = Date.parse(utcDay(time + DAY)) + 1;
    await anchor();
    time += DAY;
    expect(await verify()).toMatchObject({ ok: true });
    time += HOUR;
    expect(await verify()).toMatchObject({ ok: false, problem: 'no_anchor' });
  });

  test('days on which no server ran are signed by the next start, for what was there before them', async () => {
    await writeChain();
    time += 5 * DAY;
    await append(2);

    expect(await service().anchorEndedDays()).toMatchObject([5, 5, 5, 5, 10].map((lastSeq) => ({ lastSeq })));

    expect(await verify()).toMatchObject({ ok: true, anchors: 6, lastSeq: 10 });
    expect(await verifyKept()).toMatchObject({ ok: true });
  });

  test('a year of anchors is whole across keys that have been rotated', async () => {
    const ring = ['first', 'second', 'third'].map((kid) => readSigningKey(generateSigningKey(kid)));
    for (const key of ring) {
      trust.keepKey(key.publicJwk, time);
      for (let day = 0; day < 5; day++) {
        await append(1);
        time += DAY;
        await anchor(key);
      }
    }

    expect(await verify(trust.read())).toMatchObject({ ok: true, anchors: 15, anchoredUntil: 15 });
    expect(await verify({ keys: ring.slice(1).map(({ publicJwk }) => publicJwk) })).toMatchObject({ ok: false, problem: 'unknown_key' });
  });

  test('row 32: a newest anchor under the name of an old day cuts nothing off', async () => {
    await writeChain();
    const { jws, ...row } = await db().selectFrom('auditAnchor').selectAll().executeTakeFirstOrThrow();
    await db().insertInto('auditAnchor').values({ ...row, jws, day: '2020-01-01' }).execute();
    time += DAY;

    expect(await anchor()).toMatchObject({ firstSeq: 1 });
    expect(await service().removeOld(100)).toBe(0);
  });

  test('row 32: an anchor whose row was changed afterwards cuts nothing off', async () => {
    await writeChain();
    await db().updateTable('auditAnchor').set({ firstSeq: 5 }).execute();
    expect(await service().removeOld(100)).toBe(0);

    time += DAY;
    expect(await anchor()).toMatchObject({ firstSeq: 1 });
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

    expect(await verify({ since: time })).toMatchObject({ ok: true, lastSeq: 2001 });
    await removeRows(1500, 1500);
    expect(await verify({ since: time })).toEqual({ ok: false, seq: 1500, problem: 'missing' });
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
    await turnHead(3);
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
    expect(await verify()).toEqual({ ok: false, day, problem: 'anchor_forged' });

    await db().updateTable('auditAnchor').set({ jws, lastHash: 'another' }).execute();
    expect(await verify()).toEqual({ ok: false, day, problem: 'anchor_forged' });
  });

  test('row 32: an anchor kept elsewhere finds a tail that was deleted together with its anchors', async () => {
    await writeChain();
    const { jws } = await db().selectFrom('auditAnchor').select('jws').executeTakeFirstOrThrow();
    await db().deleteFrom('auditAnchor').execute();
    await removeRows(4, 8);
    await turnHead(3);

    expect(await verify({ anchors: [jws] })).toEqual({ ok: false, seq: 4, problem: 'missing' });
    expect(await verifyKept()).toEqual({ ok: false, seq: 4, problem: 'missing' });
    expect(await verify({ anchors: ['a.b.c'] })).toEqual({ ok: false, problem: 'not_an_anchor' });
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
      // Four hundred files would only wait for the disk.
      await service(OURS, { ...trust, keepAnchor: () => undefined }).anchorEndedDays();
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
