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

/** How the chain stood when a UTC day had ended: from its oldest row that has to be there to its newest. */
export type Anchor = Pick<AuditAnchorRow, 'day' | 'firstSeq' | 'lastSeq' | 'lastHash'>;

export function signAnchor(signingKey: SigningKey, { day, firstSeq, lastSeq, lastHash }: Anchor): string {
  return signJws(signingKey, ANCHOR_TYPE, { day, first_seq: firstSeq, last_seq: lastSeq, last_hash: lastHash });
}

/** What an anchor says, or undefined when none of these keys has signed it. */
export function readAnchor(jws: string, keys: readonly PublicJwk[]): Anchor | undefined {
  const reading = readJws(jws, ANCHOR_TYPE, keys);
  if (reading.code !== 'SIGNED') return undefined;

  const { day, first_seq: firstSeq, last_seq: lastSeq, last_hash: lastHash } = v.parse(claimsSchema, reading.claims);
  return { day, firstSeq, lastSeq, lastHash };
}
