import { expect, test, vi } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createEmailCipher } from '#api/product/licences/email-cipher.ts';
import { createMailQueue } from '#api/product/mail/mail-queue.ts';
import { buildReseller, T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase, describeRace, runConcurrently } from '#api/test/databases/describe-each-database.ts';
import { createCodesRepository } from './codes.repository.ts';
import { issueCodes, revokeCodes } from './codes.ts';
import { redeemCode, type RedeemResult } from './redeem-code.ts';
import { sealAudit } from '#api/test/sealed.ts';

const pseudonyms = createPseudonyms('pepper');
const emails = createEmailCipher('pepper', pseudonyms);
const mailQueue = createMailQueue('pepper');
const baseUrl = () => 'https://site.example';
const ACT = { by: 'ada', at: T0 };
const GRANTED_RESULT = { kind: 'redeemed', plan: { id: 'basic' } };
const USED_RESULT = { kind: 'refused', code: 'RDM_USED' };

async function issue(db: Db, count = 1) {
  await db
    .insertInto('reseller')
    .values(buildReseller({ id: 'store' }))
    .execute();
  const issued = await issueCodes({ db, pseudonyms }, { resellerId: 'store', planId: 'basic', count }, ACT);
  if (!issued) throw new Error('No codes were issued.');
  return issued;
}

const redeem = (db: Db, code: string, who: { hwid?: string; email?: string } = {}): Promise<RedeemResult> =>
  redeemCode(
    { db, pseudonyms, emails, mailQueue, baseUrl },
    { code, hwid: 'device-1234', email: 'ada@example.com', at: T0, ...who },
  );

const countPeriods = async (db: Db) => (await db.selectFrom('licencePeriod').select('id').execute()).length;

describeEachDatabase('codes', (db) => {
  test('threat 37: an unknown code opens no transaction', async () => {
    const begun = vi.spyOn(db(), 'transaction');

    expect(await redeem(db(), '000000-000000-000000-000000')).toEqual({ kind: 'refused', code: 'RDM_CODE' });
    expect(begun).not.toHaveBeenCalled();
  });

  test('threat 36: a code redeemed fifty times at once gives one period', async () => {
    const { codes } = await issue(db());
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) => redeem(db(), codes[0] ?? '', { hwid: `device-${String(1000 + n)}` })),
    );

    expect(all.filter(({ kind }) => kind === 'redeemed')).toMatchObject([GRANTED_RESULT]);
    expect(all.filter(({ kind }) => kind === 'refused')).toEqual(Array(49).fill(USED_RESULT));
    expect(await countPeriods(db())).toBe(1);
  });

  test('a redeemed code is audited with its row and without the code itself', async () => {
    const { codes, batchId } = await issue(db());
    await redeem(db(), codes[0] ?? '');

    const { id } = await db().selectFrom('licenceCode').select('id').executeTakeFirstOrThrow();
    await sealAudit(db());
    const events = await db().selectFrom('auditEvent').select(['kind', 'code', 'detail']).orderBy('seq').execute();
    expect(events.map(({ kind, code }) => `${kind} ${code}`)).toEqual(['licence codes issued', 'licence granted']);
    expect(events[0]?.detail).toContain(batchId);
    expect(events[1]?.detail).toContain(id);
  });

  test('only unredeemed codes are revoked, and only once', async () => {
    const { codes, batchId } = await issue(db(), 3);
    await redeem(db(), codes[0] ?? '');

    expect(await revokeCodes({ db: db() }, { batchId }, 'stolen', ACT)).toHaveLength(2);
    expect(await revokeCodes({ db: db() }, { batchId }, 'stolen', ACT)).toEqual([]);
    expect(await redeem(db(), codes[1] ?? '')).toEqual({ kind: 'refused', code: 'RDM_REVOKED' });
    expect(await redeem(db(), codes[0] ?? '')).toMatchObject(GRANTED_RESULT);
    expect(await createCodesRepository(db()).countBatches({ batchId })).toEqual([
      { batchId, resellerId: 'store', planId: 'basic', issuedAt: T0, issued: 3, redeemed: 1, revoked: 2 },
    ]);
  });

  test('issuing codes for an unknown reseller is rejected', async () => {
    const wanted = { resellerId: 'unknown', planId: 'basic', count: 1 } as const;

    expect(await issueCodes({ db: db(), pseudonyms }, wanted, ACT)).toBeUndefined();
    expect(await (await sealAudit(db())).selectFrom('auditEvent').selectAll().execute()).toEqual([]);
  });
});

describeRace('codes redeemed at once', (db) => {
  test('threat 36: a second redemption waits for the first one of the code and is rejected as used', async () => {
    const { codes } = await issue(db());
    const code = codes[0] ?? '';
    const { codeHash } = await db().selectFrom('licenceCode').select('codeHash').executeTakeFirstOrThrow();

    const late = await runConcurrently(
      db(),
      (trx) => createCodesRepository(trx).claim(codeHash, T0),
      () => redeem(db(), code),
    );

    expect(late).toEqual(USED_RESULT);
  });

  test('a code that is being revoked cannot be redeemed', async () => {
    const { codes, batchId } = await issue(db());

    const late = await runConcurrently(
      db(),
      (trx) => createCodesRepository(trx).revoke({ batchId }, T0),
      () => redeem(db(), codes[0] ?? ''),
    );

    expect(late).toEqual({ kind: 'refused', code: 'RDM_REVOKED' });
    expect(await countPeriods(db())).toBe(0);
  });
});
