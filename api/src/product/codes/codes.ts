import { randomBytes } from 'node:crypto';
import { readWrapped } from '@app/contracts/read-pasted';
import type { PlanId } from '@app/contracts/active-plan';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { CodeRow, Db } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { createResellersRepository } from '#api/product/resellers/resellers.repository.ts';
import { createCodesRepository, type WhichCodes } from './codes.repository.ts';

/** Crockford's base32: digits and letters without I, L, O and U. Source: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 24;
const GROUP_LENGTH = /.{6}(?=.)/g;

/** Makes a code with 120 random bits, grouped for reading: `0A1B2C-3D4E5F-6G7H8J-9K0M1N`. */
export function generateCode(): string {
  // 256 is a multiple of 32, so all characters are equally likely.
  const code = Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return code.replace(GROUP_LENGTH, '$&-');
}

/**
 * Reads a code as it was typed or pasted. Case, spaces and dashes do not matter; O is read as 0, I and L as 1.
 * @returns the code in one spelling; undefined when it cannot be one
 */
export function readCode(typed: string): string | undefined {
  const code = readWrapped(typed).replaceAll('-', '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === CODE_LENGTH && [...code].every((letter) => ALPHABET.includes(letter)) ? code : undefined;
}

interface IssueOptions {
  db: Db;
  pseudonyms: Pick<Pseudonyms, 'code'>;
}

interface Batch {
  resellerId: string;
  planId: PlanId;
  /** How many codes, up to 1000. */
  count: number;
}

/** Makes a batch of codes, of which only the HMACs are stored; undefined when there is no such reseller. */
export function issueCodes(
  { db, pseudonyms }: IssueOptions,
  { resellerId, planId, count }: Batch,
  { by, at }: Act,
): Promise<{ batchId: string; codes: string[] } | undefined> {
  return transact(db, { codes: createCodesRepository, resellers: createResellersRepository }, async (tx) => {
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

/** Revokes codes that are not redeemed; what was bought with a redeemed one stays. Returns those it revoked. */
export function revokeCodes(
  { db }: { db: Db },
  which: WhichCodes,
  reason: string,
  { by, at }: Act,
): Promise<CodeRow[]> {
  return transact(db, { codes: createCodesRepository }, async ({ codes, record }) => {
    const revoked = await codes.revoke(which, at);
    const batches = new Set(revoked.map(({ batchId }) => batchId));
    for (const batch of batches) {
      const count = revoked.filter(({ batchId }) => batchId === batch).length;
      record({ at, kind: 'licence', code: 'codes revoked', subject: null, detail: { batch, count, reason, by } });
    }
    return revoked;
  });
}
