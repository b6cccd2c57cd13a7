import { createPublicKey, sign, verify } from 'node:crypto';
import * as v from 'valibot';
import type { PublicJwk, SigningKey } from '#api/crypto/signing-key.ts';

const headerSchema = v.strictObject({ alg: v.literal('EdDSA'), kid: v.string(), typ: v.string() });

export type JwsReading = { code: 'SIGNATURE' | 'UNKNOWN_KID' } | { code: 'SIGNED'; claims: unknown };

/** Writes claims as a compact JSON Web Signature. Its type keeps one kind of text from being taken for another. */
export function signJws({ kid, privateKey }: SigningKey, typ: string, claims: object): string {
  const signed = `${encode({ alg: 'EdDSA', kid, typ })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** Reads a text that anybody may have written: one algorithm, one type, known public keys only. */
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
  // Decoding forgives stray characters; a signed text has exactly one spelling.
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
