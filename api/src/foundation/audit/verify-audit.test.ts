import { expect, onTestFinished, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { DAY, HOUR, OURS, useAuditChain } from '#api/test/audit-chain.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { signAnchor, utcDay } from './anchor.ts';
import { hashEvent } from './audit-entry.ts';
import { verifyAudit } from './verify-audit.ts';

const FOREIGN_KEY = readSigningKey(generateSigningKey('theirs'));

describeEachDatabase('the check of the audit', (db) => {
  const chain = useAuditChain(db);

  test('an intact audit with anchors verifies', async () => {
    await chain.write();

    expect(await chain.verify()).toEqual({
      ok: true,
      firstSeq: 1,
      lastSeq: 8,
      unsealed: 0,
      anchors: 1,
      anchoredUntil: 5,
      since: undefined,
    });
    expect(await chain.verifyKept()).toMatchObject({ ok: true, anchors: 1 });
  });

  test('threat 32: an emptied audit fails verification, even on a new site', async () => {
    expect(await chain.verify({ since: chain.time })).toEqual({ ok: false, problem: 'no_rows' });

    await chain.write();
    await chain.empty();

    expect(await chain.verify()).toEqual({ ok: false, problem: 'no_rows' });
    expect(await chain.verifyKept()).toEqual({ ok: false, problem: 'no_rows' });
  });

  test('threat 32: a new site has no anchors yet; a site with removed anchors is not treated as new', async () => {
    await chain.append(3);

    expect(await chain.verify({ since: chain.time })).toMatchObject({
      ok: true,
      anchors: 0,
      lastSeq: 3,
      since: chain.time,
    });
    expect(await chain.verify()).toEqual({ ok: false, problem: 'no_anchors' });
    chain.time += DAY;
    expect(await chain.verify({ since: T0 })).toEqual({ ok: false, problem: 'no_anchors' });

    await chain.anchor();
    await db().deleteFrom('auditAnchor').execute();
    expect(await chain.verify({ since: chain.time, anchors: chain.trust.read().anchors })).toEqual({
      ok: false,
      problem: 'no_anchors',
    });
  });

  test('threat 32: a chain forged with all its anchors, by a key planted in the database, is detected', async () => {
    await chain.write();
    let prevHash = '0'.repeat(64);
    for (let seq = 1; seq <= 8; seq++)
      prevHash = await chain.forge({ ...(await chain.readRow(seq)), prevHash }, { index: 9 });
    await db().updateTable('auditHead').set({ hash: prevHash }).execute();
    const { day, firstSeq } = await db().selectFrom('auditAnchor').selectAll().executeTakeFirstOrThrow();
    const lastHash = (await chain.readRow(5)).hash;
    await db()
      .insertInto('signingKey')
      .values({
        kid: 'theirs',
        alg: 'EdDSA',
        publicJwk: JSON.stringify(FOREIGN_KEY.publicJwk),
        status: 'retired',
        notBefore: 0,
        notAfter: null,
      })
      .execute();
    await db()
      .updateTable('auditAnchor')
      .set({ kid: 'theirs', lastHash, jws: await signAnchor(FOREIGN_KEY, { day, firstSeq, lastSeq: 5, lastHash }) })
      .execute();

    expect(await chain.verify()).toEqual({ ok: false, problem: 'unknown_key', day });
    await expect(chain.anchor()).rejects.toThrow(`The anchor of ${day} is not signed by a key of this site`);
  });

  test('threat 32: a day without its anchor is reported, in the middle and at the end', async () => {
    for (let day = 0; day < 5; day++) {
      await chain.append(1);
      chain.time += DAY;
      await chain.anchor();
    }
    const days = (await db().selectFrom('auditAnchor').select('day').orderBy('day').execute()).map(({ day }) => day);
    expect(await chain.verify()).toMatchObject({ ok: true, anchors: 5 });

    chain.time += DAY;
    expect(await chain.verify()).toEqual({ ok: false, problem: 'no_anchor', day: utcDay(chain.time - DAY) });
    await chain.anchor();
    await db()
      .deleteFrom('auditAnchor')
      .where('day', '=', days[2] ?? '')
      .execute();
    expect(await chain.verify()).toEqual({ ok: false, problem: 'no_anchor', day: days[2] });
    expect(await chain.verify({ since: Date.parse(days[2] ?? '') })).toEqual({
      ok: false,
      problem: 'no_anchor',
      day: days[2],
    });
    // Days before the first key was stored do not count.
    expect(await chain.verify({ since: Date.parse(days[3] ?? '') })).toMatchObject({ ok: true });
  });

  test('in the first hour of a day a missing anchor for the previous day is accepted', async () => {
    await chain.append(1);
    chain.time = Date.parse(utcDay(chain.time + DAY)) + 1;
    await chain.anchor();
    chain.time += DAY;
    chain.time += HOUR - 2;
    expect(await chain.verify()).toMatchObject({ ok: true });
    chain.time += 1;
    expect(await chain.verify()).toMatchObject({ ok: false, problem: 'no_anchor' });
  });

  test('two contradictory trusted anchors are reported, whichever matches the row', async () => {
    await chain.write();
    const { jws, ...row } = await db().selectFrom('auditAnchor').selectAll().executeTakeFirstOrThrow();
    const { day, firstSeq, lastSeq } = row;
    const other = await signAnchor(OURS, { day, firstSeq, lastSeq, lastHash: 'another' });

    expect(await chain.verify({ anchors: [other, jws] })).toEqual({ ok: false, seq: 5, problem: 'not_anchored' });
  });

  test('a long audit of rows in their older form is read in batches, and goes on in the new form', async () => {
    const row = { kind: 'key', code: 'issued', subject: null, detail: {}, at: T0 };
    let prevHash = '0'.repeat(64);
    const rows = Array.from({ length: 2001 }, (_, index) => {
      const seq = index + 1;
      const hash = hashEvent(prevHash, { ...row, seq }, 'hex');
      const made = { ...row, seq, detail: '{}', prevHash, hash };
      prevHash = hash;
      return made;
    });
    for (let from = 0; from < rows.length; from += 200)
      await db()
        .insertInto('auditEvent')
        .values(rows.slice(from, from + 200))
        .execute();
    await db().insertInto('auditHead').values({ id: 1, seq: 2001, hash: prevHash }).execute();

    expect(await chain.verify({ since: chain.time })).toMatchObject({ ok: true, lastSeq: 2001 });
    await chain.append(2);
    expect(await chain.verify({ since: chain.time })).toMatchObject({ ok: true, lastSeq: 2003 });
    await chain.removeRows(1500, 1500);
    expect(await chain.verify({ since: chain.time })).toEqual({ ok: false, seq: 1500, problem: 'missing' });
  });
});

test('an unreadable database gives no verification result', async () => {
  const db = withDialect(sqlite(':memory:'));
  onTestFinished(() => db.destroy());

  await expect(verifyAudit(db, { trusted: { keys: [], anchors: [], since: undefined }, now: T0 })).rejects.toThrow(
    'no such table',
  );
});
