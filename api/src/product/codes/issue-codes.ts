import type { PlanId } from '@app/contracts/active-plan';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { generateCode, readCode } from './code-text.ts';
import { transact } from './transact.ts';

interface Issuing {
  db: Db;
  pseudonyms: Pick<Pseudonyms, 'code'>;
}

interface Batch {
  resellerId: string;
  planId: PlanId;
  /** How many codes, up to 1000. */
  count: number;
}

/**
 * Makes a batch of codes for a reseller. Only their HMACs are stored, so nobody can show them a second time.
 * @returns undefined when there is no such reseller
 */
export function issueCodes(
  { db, pseudonyms }: Issuing,
  { resellerId, planId, count }: Batch,
  { by, at }: Act,
): Promise<{ batchId: string; codes: string[] } | undefined> {
  return transact(db, async (tx) => {
    if (!(await tx.resellers.find(resellerId))) return undefined;

    const batchId = randomId();
    const codes = Array.from({ length: count }, generateCode);
    await tx.codes.insert(
      codes.map((code) => ({
        id: randomId(),
        codeHash: pseudonyms.code(readCode(code) ?? ''),
        resellerId,
        planId,
        batchId,
        issuedAt: at,
        redeemedAt: null,
        revokedAt: null,
      })),
    );
    const detail = { reseller: resellerId, batch: batchId, plan: planId, count, by };
    tx.record({ at, kind: 'licence', code: 'codes issued', subject: null, detail });
    return { batchId, codes };
  });
}
