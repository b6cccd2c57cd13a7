import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import * as v from 'valibot';
import type { PublicJwk } from './public-jwk.ts';

const headerSchema = v.strictObject({ alg: v.literal('EdDSA'), kid: v.string(), typ: v.string() });

export type JwsReading = { code: 'SIGNATURE' | 'UNKNOWN_KID' } | { code: 'SIGNED'; claims: unknown };

/**
 * Reads a compact JSON Web Signature from an untrusted source. It accepts one algorithm (EdDSA), one type and the given
 * public keys only.
 */
export function readJws(token: string, typ: string, keys: readonly PublicJwk[]): JwsReading {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const head = v.safeParse(headerSchema, decode(header));
  if (!head.success || head.output.typ !== typ || rest.length > 0) return { code: 'SIGNATURE' };

  const jwk = keys.find(({ kid }) => kid === head.output.kid);
  if (!jwk) return { code: 'UNKNOWN_KID' };

  return isSignedBy(jwk, `${header}.${payload}`, signature)
    ? { code: 'SIGNED', claims: decode(payload) }
    : { code: 'SIGNATURE' };
}

function isSignedBy(jwk: PublicJwk, signed: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  // Node ignores stray characters when it decodes base64url. Exactly one spelling of a signature is accepted.
  if (bytes.toString('base64url') !== signature) return false;

  return verify(null, Buffer.from(signed), createPublicKey({ key: { ...jwk }, format: 'jwk' }), bytes);
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Signs claims as a compact JSON Web Signature (RFC 7515) with Ed25519.
 * @param typ the `typ` of the header; a reader accepts one type only, so a text of one kind cannot be used as another
 */
export function signJws(
  { kid, privateKey }: { kid: string; privateKey: KeyObject },
  typ: string,
  claims: object,
): string {
  const signed = encodeSigned(kid, typ, claims);
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

export function encodeSigned(kid: string, typ: string, claims: object): string {
  return `${encode({ alg: 'EdDSA', kid, typ })}.${encode(claims)}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
