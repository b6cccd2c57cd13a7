import { createHash, createPublicKey } from 'node:crypto';
import type { jwksSchema } from '@app/contracts/app-calls';
import * as v from 'valibot';
import { parseJson } from '#api/foundation/settings/read-json.ts';

export const kidSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
);

/** The public half of a key as a JWK, in the form in which it is published. */
export const publicJwkSchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: kidSchema,
  x: v.pipe(v.string(), v.check(isPublicKey, 'must be the public half of an Ed25519 key')),
  alg: v.literal('EdDSA'),
  use: v.literal('sig'),
});

export type PublicJwk = v.InferOutput<typeof jwksSchema>['keys'][number];

/** @throws Error when the text is no JWK, or holds a private half */
export function readPublicKey(text: string): { kid: string; publicJwk: PublicJwk } {
  if (/"d"\s*:/.test(text)) throw new Error('holds a private half (d), which belongs to the signer alone');
  const publicJwk = parseJson(publicJwkSchema, text);
  return { kid: publicJwk.kid, publicJwk };
}

/** Unlike the `kid`, it cannot be chosen. Source: RFC 7638, and RFC 8037 for Ed25519 keys */
export function calculateThumbprint({ crv, kty, x }: Pick<PublicJwk, 'crv' | 'kty' | 'x'>): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

function isPublicKey(x: string): boolean {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }).export({ format: 'jwk' }).x === x;
  } catch {
    return false;
  }
}
