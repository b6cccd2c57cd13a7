import * as v from 'valibot';
import type { AuditAnchorRow } from '#api/foundation/db/schema.ts';
import { readJws } from '#api/foundation/crypto/jws.ts';
import type { PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';

export const ANCHOR_TYPE = 'audit-anchor+jws';

/**
 * For how many days after a day its anchor may be signed. A later request can only come from an attacker who has taken
 * over a server and forges its past.
 */
export const MAX_ANCHOR_AGE_DAYS = 8;

const claimsSchema = v.strictObject({
  day: v.string(),
  first_seq: v.number(),
  last_seq: v.number(),
  last_hash: v.string(),
});

/**
 * The state of the chain at the end of a UTC day: the numbers of the oldest row that it still has to have and of its
 * newest row, and the hash of the newest.
 */
export type Anchor = Pick<AuditAnchorRow, 'day' | 'firstSeq' | 'lastSeq' | 'lastHash'>;

export function signAnchor(signer: Signer, { day, firstSeq, lastSeq, lastHash }: Anchor): Promise<string> {
  return signer.sign(ANCHOR_TYPE, { day, first_seq: firstSeq, last_seq: lastSeq, last_hash: lastHash });
}

/** Undefined when none of the keys has signed it. */
export function readAnchor(jws: string, keys: readonly PublicJwk[]): Anchor | undefined {
  const reading = readJws(jws, ANCHOR_TYPE, keys);
  if (reading.code !== 'SIGNED') return undefined;

  const { day, first_seq: firstSeq, last_seq: lastSeq, last_hash: lastHash } = v.parse(claimsSchema, reading.claims);
  return { day, firstSeq, lastSeq, lastHash };
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Such as 2026-01-31. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** How far from midnight a day may be signed, or still be without a signature, in milliseconds. */
export const ANCHOR_GRACE_MS = 60 * 60 * 1000;

/** Whether a day is signed that has not ended, so that the clock which ended it was ahead. */
export function isAhead(day: string, now: number): boolean {
  return day >= utcDay(now + ANCHOR_GRACE_MS);
}

export function dayAfter(day: string): string {
  return utcDay(Date.parse(day) + DAY_MS);
}
