import * as v from 'valibot';
import type { AuditAnchorRow } from '#api/db/schema.ts';
import { readJws, signJws } from '#api/crypto/jws.ts';
import type { PublicJwk, SigningKey } from '#api/crypto/signing-key.ts';

const ANCHOR_TYPE = 'audit-anchor+jws';

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

/** Signs an anchor as a compact JWS. */
export function signAnchor(signingKey: SigningKey, { day, firstSeq, lastSeq, lastHash }: Anchor): string {
  return signJws(signingKey, ANCHOR_TYPE, { day, first_seq: firstSeq, last_seq: lastSeq, last_hash: lastHash });
}

/**
 * Reads an anchor.
 * @returns undefined when none of the keys has signed it
 */
export function readAnchor(jws: string, keys: readonly PublicJwk[]): Anchor | undefined {
  const reading = readJws(jws, ANCHOR_TYPE, keys);
  if (reading.code !== 'SIGNED') return undefined;

  const { day, first_seq: firstSeq, last_seq: lastSeq, last_hash: lastHash } = v.parse(claimsSchema, reading.claims);
  return { day, firstSeq, lastSeq, lastHash };
}
