import { expect, test } from 'vitest';
import { generateSigningKey, readSigningKey } from '#api/crypto/signing-key.ts';
import { DAY, OURS, useAuditChain } from '#api/test/audit-chain.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/describe-each-database.ts';

/** The time limit for 400 days of transactions on a busy machine. */
const YEAR_TAKES_MS = 120_000;

describeEachDatabase('the signing of the audit', (db) => {
  const chain = useAuditChain(db);

  test('threat 32: what goes on after the audit was emptied is not signed, and is found', async () => {
    await chain.write();
    await chain.empty();
    await chain.append(8);

    for (let day = 0; day < 3; day++) {
      await expect(chain.anchor()).rejects.toThrow(/^Row 5 is no longer the one that was signed for 2027-01-15 /);
      expect(await db().selectFrom('auditAnchor').select('day').execute()).toEqual([]);
      chain.time += DAY;
    }

    expect(await chain.verifyKept()).toEqual({ ok: false, problem: 'not_anchored', seq: 5 });
  });

  test('days on which no server ran are signed by the next start, for what was there before them', async () => {
    await chain.write();
    chain.time += 5 * DAY;
    await chain.append(2);

    expect(await chain.service().anchorEndedDays()).toMatchObject([5, 5, 5, 5, 10].map((lastSeq) => ({ lastSeq })));

    expect(await chain.verify()).toMatchObject({ ok: true, anchors: 6, lastSeq: 10 });
    expect(await chain.verifyKept()).toMatchObject({ ok: true });
  });

  test('a year of anchors is whole across keys that have been rotated', async () => {
    const ring = ['first', 'second', 'third'].map((kid) => readSigningKey(generateSigningKey(kid)));
    for (const key of ring) {
      chain.trust.keepKey(key.publicJwk, chain.time);
      for (let day = 0; day < 5; day++) {
        await chain.append(1);
        chain.time += DAY;
        await chain.anchor(key);
      }
    }

    expect(await chain.verify(chain.trust.read())).toMatchObject({ ok: true, anchors: 15, anchoredUntil: 15 });
    expect(await chain.verify({ keys: ring.slice(1).map(({ publicJwk }) => publicJwk) })).toMatchObject({
      ok: false,
      problem: 'unknown_key',
    });
  });

  test('threat 32: a newest anchor under the name of an old day cuts nothing off', async () => {
    await chain.write();
    const { jws, ...row } = await db().selectFrom('auditAnchor').selectAll().executeTakeFirstOrThrow();
    await db()
      .insertInto('auditAnchor')
      .values({ ...row, jws, day: '2020-01-01' })
      .execute();
    chain.time += DAY;

    expect(await chain.anchor()).toMatchObject({ firstSeq: 1 });
    expect(await chain.service().removeOld(100)).toBe(0);
  });

  test('threat 32: an anchor whose row was changed afterwards cuts nothing off', async () => {
    await chain.write();
    await db().updateTable('auditAnchor').set({ firstSeq: 5 }).execute();
    expect(await chain.service().removeOld(100)).toBe(0);

    chain.time += DAY;
    expect(await chain.anchor()).toMatchObject({ firstSeq: 1 });
  });

  test('a day is anchored once, when it has ended', async () => {
    await chain.append(2);
    const today = new Date(T0).toISOString().slice(0, 10);
    expect(await chain.anchor()).not.toMatchObject({ day: today });

    chain.time += DAY;
    expect(await chain.anchor()).toMatchObject({ day: today, firstSeq: 1, lastSeq: 2, kid: 'ours' });
    await chain.append(1);
    expect(await chain.anchor()).toBeUndefined();
  });

  test('two servers that anchor a day at once leave one anchor', async () => {
    await chain.append(2);

    const made = await Promise.all([chain.anchor(), chain.anchor()]);

    expect(made.filter((row) => row !== undefined)).toHaveLength(1);
    expect(await chain.verify()).toMatchObject({ ok: true, anchors: 1 });
  });

  /**
   * Writes a row and an anchor on each of 400 days. At the last anchor, of day 399, rows up to the anchor of day 33 may
   * be removed.
   */
  async function writeYear(): Promise<void> {
    for (let day = 0; day < 400; day++) {
      await chain.append(1);
      chain.time += DAY;
      // Without files, which would only make the test slow.
      await chain.service(OURS, { ...chain.trust, keepAnchor: () => undefined }).anchorEndedDays();
    }
  }

  test(
    'rows go when they are a year old, and what is kept stays a chain',
    async () => {
      await writeYear();
      const keptFrom = 35;

      expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 400, anchors: 400 });
      expect(await chain.service().removeOld(20)).toBe(20);
      expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 400 });
      expect(await chain.service().removeOld(20)).toBe(14);
      expect(await chain.service().removeOld(20)).toBe(0);

      expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 400, anchors: 367 });
      const { at } = await chain.readRow(keptFrom);
      expect(chain.time - at).toBeGreaterThanOrEqual(365 * DAY);
      await chain.removeRows(keptFrom, keptFrom);
      expect(await chain.verify()).toEqual({ ok: false, seq: keptFrom, problem: 'missing' });
    },
    YEAR_TAKES_MS,
  );

  test(
    'threat 32: without the anchor that the oldest row follows nobody can say that it is the oldest',
    async () => {
      await writeYear();
      await chain.service().removeOld(100);
      await db().deleteFrom('auditAnchor').where('lastSeq', '=', 34).execute();

      expect(await chain.verify()).toEqual({ ok: false, seq: 34, problem: 'missing' });
    },
    YEAR_TAKES_MS,
  );
});
