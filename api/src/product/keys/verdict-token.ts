import { createHash } from 'node:crypto';
import type { AppId } from '@app/contracts/key-system';
import type { ServerVerdict } from '@app/contracts/key-system-schemas';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';

export const VERDICT_TYPE = 'verdict+jws';

/** The year 2286, in seconds. */
export const NEVER_S = 9_999_999_999;

/** The claims of a verdict. Times are in seconds. */
export interface VerdictClaims {
  v: 1;
  /** The text that the app has made up for this one call. */
  nonce: string;
  aud: AppId;
  /** The device as it was sent, hashed as in a key. */
  sub: string;
  /** The SHA-256 of the key as it was sent, in base64url. */
  key: string;
  code: ServerVerdict['code'];
  /** When the key ends; null where it is none of ours. */
  exp: number | null;
  /** Never: a library that does not look at `typ` must not take a verdict, whose device anybody may name, for a key. */
  nbf: typeof NEVER_S;
  iat: number;
}

/** What was asked, and what was found. Times are in epoch milliseconds. */
interface SignedCheck {
  key: string;
  hwid: string;
  app: AppId;
  nonce: string;
  code: ServerVerdict['code'];
  expiresAt: number | null;
  at: number;
}

/** Signs the verdict about a key as a compact JWS. */
export function signVerdict(signer: Signer, { key, hwid, app, nonce, code, expiresAt, at }: SignedCheck) {
  return signer.sign(VERDICT_TYPE, {
    v: 1,
    nonce,
    aud: app,
    sub: keySubject(hwid),
    key: createHash('sha256').update(key).digest('base64url'),
    code,
    exp: expiresAt === null ? null : expiresAt / 1000,
    nbf: NEVER_S,
    iat: Math.floor(at / 1000),
  } satisfies VerdictClaims);
}
