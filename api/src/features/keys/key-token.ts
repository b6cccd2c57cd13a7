import { createPublicKey, sign, verify } from 'node:crypto';
import { APP_IDS } from '@app/contracts/key-system';
import * as v from 'valibot';
import type { PublicJwk, SigningKey } from './signing-key.ts';

/** Clocks may differ by this much before a key counts as not yet valid. */
const CLOCK_SKEW_S = 300;

const headerSchema = v.strictObject({ alg: v.literal('EdDSA'), kid: v.string(), typ: v.literal('key+jws') });

const claimsSchema = v.object({
  iss: v.string(),
  aud: v.picklist(APP_IDS),
  sub: v.string(),
  jti: v.string(),
  iat: v.number(),
  nbf: v.number(),
  exp: v.number(),
  src: v.literal('ads'),
  v: v.literal(1),
});

/** What a key says. Times are seconds, as in every JSON Web Signature. */
export type KeyClaims = v.InferOutput<typeof claimsSchema>;

export type KeyReading =
  | { code: 'SIGNATURE' | 'UNKNOWN_KID' }
  | { code: 'VALID' | 'EXPIRED' | 'DEVICE_MISMATCH'; claims: KeyClaims };

/** Writes a key as a compact JWS. */
export function signKey({ kid, privateKey }: SigningKey, claims: KeyClaims): string {
  const signed = `${encode({ alg: 'EdDSA', kid, typ: 'key+jws' })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Reads a key that anybody may have written: one algorithm, known public keys only, then whose it is and until when. */
export function readKey(token: string, { keys, subject, now }: { keys: readonly PublicJwk[]; subject: string; now: number }): KeyReading {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const head = v.safeParse(headerSchema, decode(header));
  if (!head.success || rest.length > 0) return { code: 'SIGNATURE' };

  const jwk = keys.find(({ kid }) => kid === head.output.kid);
  if (!jwk) return { code: 'UNKNOWN_KID' };
  if (!isSignedBy(jwk, `${header}.${payload}`, signature)) return { code: 'SIGNATURE' };

  const claims = v.safeParse(claimsSchema, decode(payload));
  if (!claims.success || claims.output.nbf - CLOCK_SKEW_S > now / 1000) return { code: 'SIGNATURE' };
  if (claims.output.sub !== subject) return { code: 'DEVICE_MISMATCH', claims: claims.output };

  return { code: now / 1000 < claims.output.exp ? 'VALID' : 'EXPIRED', claims: claims.output };
}

function isSignedBy(jwk: PublicJwk, signed: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  // Decoding forgives stray characters; a key has exactly one spelling.
  if (bytes.toString('base64url') !== signature) return false;

  return verify(null, Buffer.from(signed), createPublicKey({ key: { ...jwk }, format: 'jwk' }), bytes);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
