import { appIdSchema } from '@app/contracts/app-calls';
import type { AppId } from '@app/contracts/key-system';
import * as v from 'valibot';
import { readJws } from '#api/foundation/crypto/jws.ts';
import type { PublicJwk } from '#api/foundation/crypto/public-jwk.ts';
import type { Signer } from '#api/foundation/crypto/signing-key.ts';

/** By how much clocks may differ before a key counts as not yet valid, in seconds. */
const CLOCK_SKEW_S = 300;

export const KEY_TYPE = 'key+jws';

const claimsSchema = v.object({
  iss: v.string(),
  aud: appIdSchema,
  sub: v.string(),
  jti: v.string(),
  iat: v.number(),
  nbf: v.number(),
  exp: v.number(),
  /** Earned with a run (`ads`), or given by a paid plan. */
  src: v.picklist(['ads', 'plan']),
  v: v.literal(1),
});

/** The claims of a key. Times are in seconds, as in every JSON Web Token. */
export type KeyClaims = v.InferOutput<typeof claimsSchema>;

export type KeyReading =
  | { code: 'SIGNATURE' | 'UNKNOWN_KID' }
  | { code: 'VALID' | 'EXPIRED' | 'APP_MISMATCH' | 'DEVICE_MISMATCH'; claims: KeyClaims };

export function signKey(signer: Signer, claims: KeyClaims): Promise<string> {
  return signer.sign(KEY_TYPE, claims);
}

interface KeyReader {
  keys: readonly PublicJwk[];
  app: AppId;
  subject: string;
  now: number;
}

/**
 * Reads a key from an untrusted source: checks the signature first, then the app, the device and the time.
 * @param reader.now epoch milliseconds
 */
export function readKey(token: string, { keys, app, subject, now }: KeyReader): KeyReading {
  const reading = readJws(token, KEY_TYPE, keys);
  if (reading.code !== 'SIGNED') return reading;

  const claims = v.safeParse(claimsSchema, reading.claims);
  if (!claims.success || claims.output.nbf - CLOCK_SKEW_S > now / 1000) return { code: 'SIGNATURE' };
  if (claims.output.aud !== app) return { code: 'APP_MISMATCH', claims: claims.output };
  if (claims.output.sub !== subject) return { code: 'DEVICE_MISMATCH', claims: claims.output };

  return { code: now / 1000 < claims.output.exp ? 'VALID' : 'EXPIRED', claims: claims.output };
}
