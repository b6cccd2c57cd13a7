import { sign, type KeyObject } from 'node:crypto';

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

/** The part of a JSON Web Signature that is signed: its header and its claims. */
export function encodeSigned(kid: string, typ: string, claims: object): string {
  return `${encode({ alg: 'EdDSA', kid, typ })}.${encode(claims)}`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
