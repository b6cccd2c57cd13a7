import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  generateSigningKey,
  readSigningKey,
  type Signer,
  SignerUnavailable,
} from '#api/foundation/crypto/signing-key.ts';
import { DAY, HOUR, OURS, useAuditChain } from '#api/test/audit-chain.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { readMetric } from '#api/test/read-metric.ts';
import { createAuditRepository } from './audit.repository.ts';
import { createAuditService } from './audit.service.ts';
import { utcDay } from './anchor.ts';
import { sealAll } from './seal-audit.ts';

/** A signer that signs one anchor for each day, as the process of its own does, and whose first answer is lost. */
function createSlowSigner(): Signer {
  const signed = new Map<unknown, string>();
  let answers = 0;
  return {
    ...OURS,
    async sign(typ, claims) {
      const { day } = claims as { day: string };
      const asked = JSON.stringify(claims);
      if ((signed.get(day) ?? asked) !== asked) throw new SignerUnavailable('another anchor of this day was signed');

      signed.set(day, asked);
      answers += 1;
      if (answers === 1) throw new SignerUnavailable('The signer did not answer in time.');
      return OURS.sign(typ, claims);
    },
  };
}

describeEachDatabase('the signing of the audit', (db) => {
  const chain = useAuditChain(db);

  test('threat 32: rows written after the audit was emptied are not anchored, and verification fails', async () => {
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

  test('threat 32: a deleted anchored row is detected, even if the next row takes its hash', async () => {
    await chain.write();
    const { hash } = await chain.readRow(5);
    await chain.removeRows(5, 5);
    await db().updateTable('auditEvent').set({ hash }).where('seq', '=', 6).execute();
    await expect(chain.anchor()).rejects.toThrow(/^Row 5 is no longer the one/);

    await chain.removeRows(6, 8);
    await expect(chain.anchor()).rejects.toThrow(/^Row 5 is no longer the one/);
  });

  test('threat 32: a deleted first row is detected even if it alone was anchored', async () => {
    await chain.append(1);
    chain.time += DAY;
    await chain.anchor();
    await chain.append(1);
    await chain.removeRows(1, 1);

    await expect(chain.anchor()).rejects.toThrow(/^Row 1 is no longer the one/);
  });

  test('an empty audit is anchored, and later rows follow', async () => {
    expect(await chain.anchor()).toMatchObject({ firstSeq: 1, lastSeq: 0, lastHash: '0'.repeat(64) });

    await chain.append(1);
    chain.time += DAY;
    expect(await chain.anchor()).toMatchObject({ firstSeq: 1, lastSeq: 1 });
  });

  test('a server adopts an anchor signed by another server', async () => {
    await chain.append(1);
    const { jws = '' } =
      (await chain.service(OURS, { ...chain.trust, keepAnchor: () => undefined }).anchorEndedDays())[0] ?? {};
    expect(chain.trust.newestAnchor()).toBeUndefined();

    await chain.anchor();
    expect(chain.trust.newestAnchor()).toBe(jws);
  });

  test('without anchors no row is removed', async () => {
    await chain.append(2);

    expect(await chain.service().removeOld(100)).toBe(0);
    expect(await chain.readRow(1)).toMatchObject({ seq: 1 });
  });

  test('anchors of days not yet ended, signed by a clock that was ahead, are reported until their removal', async () => {
    await chain.write();
    chain.time += 3 * DAY;
    await chain.anchor();
    chain.time -= 3 * DAY;
    const day = utcDay(chain.time);
    await chain.append(1);

    await expect(chain.anchor()).rejects.toThrow(/^2027-01-18 has an anchor and has not ended/);
    expect(await readMetric('site_audit_anchored_until_seconds')).toBe(Date.parse('2027-01-19') / 1000);
    expect(await chain.verify()).toEqual({ ok: false, problem: 'anchor_ahead', day });
    chain.time += DAY;
    expect(await chain.verifyKept()).toEqual({ ok: false, problem: 'anchor_ahead', day: utcDay(chain.time) });

    await db().deleteFrom('auditAnchor').where('day', '>=', day).execute();
    for (const each of [0, 1, 2])
      rmSync(join(chain.trust.folder, 'anchors', `${utcDay(Date.parse(day) + each * DAY)}.jws`));
    expect(await chain.anchor()).toMatchObject({ day, lastSeq: 9 });
    expect(await chain.verifyKept()).toMatchObject({ ok: true, anchors: 2 });
  });

  test('a slightly fast clock at midnight is no failure', async () => {
    await chain.write();
    chain.time = Date.parse(utcDay(chain.time + DAY)) + HOUR / 2;
    await chain.anchor();
    chain.time -= HOUR;

    expect(await chain.anchor()).toBeUndefined();
    expect(await chain.verifyKept()).toMatchObject({ ok: true });
  });

  test('days without a running server are anchored at the next start with the last row before them', async () => {
    await chain.write();
    chain.time += 5 * DAY;
    await chain.append(2);

    expect(await chain.service().anchorEndedDays()).toMatchObject([5, 5, 5, 5, 10].map((lastSeq) => ({ lastSeq })));

    expect(await chain.verify()).toMatchObject({ ok: true, anchors: 6, lastSeq: 10 });
    expect(await chain.verifyKept()).toMatchObject({ ok: true });
  });

  test('after a month without a server recent days are signed, and the audit verifies', async () => {
    await chain.write();
    chain.time += 30 * DAY;
    await chain.append(2);

    const made = await chain.service().anchorEndedDays();

    expect(made[0]?.day).toBe(new Date(chain.time - 8 * DAY).toISOString().slice(0, 10));
    expect(made.map(({ lastSeq }) => lastSeq)).toEqual([5, 5, 5, 5, 5, 5, 5, 10]);
    expect(await chain.verify()).toMatchObject({ ok: true, anchors: 9, lastSeq: 10 });
    expect(await chain.verifyKept()).toMatchObject({ ok: true });
  });

  test('an anchor with a failed insert is stored later, and no second anchor of that day is signed', async () => {
    await chain.append(1);
    const repository = createAuditRepository(db());
    let failures = 1;
    const service = createAuditService({
      audit: {
        ...repository,
        addAnchor: (row) => (failures-- > 0 ? Promise.reject(new Error('away')) : repository.addAnchor(row)),
      },
      trust: chain.trust,
      signingKey: () => OURS,
      retentionDays: 30,
      now: () => chain.time,
    });

    await expect(service.anchorEndedDays()).rejects.toThrow('away');
    await chain.append(1);

    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 1 }]);
  });

  test('a late signature is requested again for the same anchor, even if the chain has grown, and delays no later day', async () => {
    await chain.append(2);
    chain.time += DAY;
    const service = chain.service(createSlowSigner());
    await expect(service.anchorEndedDays()).rejects.toThrow('The signer did not answer in time.');

    await chain.append(1);
    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 2 }]);

    chain.time += DAY;
    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 3 }]);
    expect(await chain.verifyKept()).toMatchObject({ ok: true });
  });

  test('days without a server after a late signature continue from its anchor, not from the one before', async () => {
    await chain.append(1);
    chain.time += DAY;
    await chain.service().anchorEndedDays();
    await chain.append(1);
    chain.time += DAY;
    const service = chain.service(createSlowSigner());
    await expect(service.anchorEndedDays()).rejects.toThrow('The signer did not answer in time.');

    await chain.append(1);
    chain.time += 2 * DAY;

    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 2 }, { lastSeq: 2 }, { lastSeq: 3 }]);
  });

  test('threat 32: a day is signed only after its events are sealed, and unsealed events of today do not delay it', async () => {
    const record = () =>
      db()
        .insertInto('auditUnsealed')
        .values({ at: chain.time, kind: 'key', code: 'issued', subject: null, detail: '{}' })
        .execute();
    await chain.append(1);
    await record();
    chain.time += DAY;
    expect(await chain.service().anchorEndedDays()).toEqual([]);

    await sealAll(db());
    await record();
    expect(await chain.service().anchorEndedDays()).toMatchObject([{ lastSeq: 2 }]);
  });

  test('a year of anchors verifies across key rotations', async () => {
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

  test('threat 32: a copy of the newest anchor under an old day removes no rows', async () => {
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

  test('threat 32: an anchor with an edited row removes no rows', async () => {
    await chain.write();
    await db().updateTable('auditAnchor').set({ firstSeq: 5 }).execute();
    expect(await chain.service().removeOld(100)).toBe(0);

    chain.time += DAY;
    expect(await chain.anchor()).toMatchObject({ firstSeq: 1 });
  });

  test('a day is anchored once after its end', async () => {
    await chain.append(2);
    const today = new Date(T0).toISOString().slice(0, 10);
    expect(await chain.anchor()).not.toMatchObject({ day: today });

    chain.time += DAY;
    expect(await chain.anchor()).toMatchObject({ day: today, firstSeq: 1, lastSeq: 2, kid: 'ours' });
    await chain.append(1);
    expect(await chain.anchor()).toBeUndefined();
  });

  test('two servers that anchor a day concurrently leave one anchor', async () => {
    await chain.append(2);

    const made = await Promise.all([chain.anchor(), chain.anchor()]);

    expect(made.filter((row) => row !== undefined)).toHaveLength(1);
    expect(await chain.verify()).toMatchObject({ ok: true, anchors: 1 });
  });

  /**
   * Writes a row and an anchor on each of 65 days. At the last anchor, of day 64, rows up to the anchor of day 33 may be
   * removed.
   */
  async function writeDays(): Promise<void> {
    chain.retentionDays = 30;
    for (let day = 0; day < 65; day++) {
      await chain.append(1);
      chain.time += DAY;
      // Without files, which would only make the test slow.
      await chain.service(OURS, { ...chain.trust, keepAnchor: () => undefined }).anchorEndedDays();
    }
  }

  test('rows are removed after the retention, and the remaining rows still verify', async () => {
    await writeDays();
    const keptFrom = 35;

    expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 65, anchors: 65 });
    expect(await chain.service().removeOld(20)).toBe(20);
    expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 65 });
    expect(await chain.service().removeOld(20)).toBe(14);
    expect(await chain.service().removeOld(20)).toBe(0);

    expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: keptFrom, lastSeq: 65, anchors: 32 });
    const { at } = await chain.readRow(keptFrom);
    expect(chain.time - at).toBeGreaterThanOrEqual(chain.retentionDays * DAY);
    await chain.removeRows(keptFrom, keptFrom);
    expect(await chain.verify()).toEqual({ ok: false, seq: keptFrom, problem: 'missing' });
  });

  test('threat 32: without the anchor before the oldest row verification fails', async () => {
    await writeDays();
    await chain.service().removeOld(100);
    await db().deleteFrom('auditAnchor').where('lastSeq', '=', 34).execute();

    expect(await chain.verify()).toEqual({ ok: false, seq: 34, problem: 'missing' });
  });

  test('a server stopped for longer than the retention continues to sign, and its old anchors match the chain', async () => {
    await chain.write();
    await writeDays();
    await chain.service().removeOld(100);
    expect(await chain.verifyKept()).toMatchObject({ ok: true, lastSeq: 73 });

    chain.time += DAY;
    expect(await chain.anchor()).toMatchObject({ lastSeq: 73 });
    expect(await chain.verifyKept()).toMatchObject({ ok: true, lastSeq: 73 });
  });

  test('raising the retention does not report already removed rows as missing', async () => {
    await writeDays();
    await chain.service().removeOld(100);
    chain.retentionDays = 365;
    chain.time += DAY;

    expect(await chain.anchor()).toMatchObject({ firstSeq: 35 });
    expect(await chain.verify()).toMatchObject({ ok: true, firstSeq: 35 });
  });
});
