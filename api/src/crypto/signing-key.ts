import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import type { jwksSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { parseJson } from '#api/parse-json.ts';

const kidSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
);

const jwkSchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: kidSchema,
  x: v.string(),
  d: v.string(),
});

/** The public half of a key as a JWK, in the form in which it is published. */
export const publicJwkSchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: kidSchema,
  x: v.pipe(v.string(), v.check(isPublicHalf, 'must be the public half of an Ed25519 key')),
  alg: v.literal('EdDSA'),
  use: v.literal('sig'),
});

export type PublicJwk = v.InferOutput<typeof jwksSchema>['keys'][number];

/** An Ed25519 key pair of the server. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: PublicJwk;
}

/**
 * Reads the server's Ed25519 key from the text of a JWK file.
 * @throws Error when the text is no such key, or its public half `x` does not belong to its private half `d`
 */
export function readSigningKey(text: string): SigningKey {
  const jwk = parseJson(jwkSchema, text);
  const privateKey = importPrivate(jwk);
  const { x } = privateKey.export({ format: 'jwk' });
  if (x !== jwk.x) throw new Error('x, the public half, does not belong to d, the private one');

  return {
    kid: jwk.kid,
    privateKey,
    publicJwk: { kty: 'OKP', crv: 'Ed25519', kid: jwk.kid, x, alg: 'EdDSA', use: 'sig' },
  };
}

function importPrivate(jwk: v.InferOutput<typeof jwkSchema>): KeyObject {
  try {
    return createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  } catch (error) {
    throw new Error('d and x must be the two halves of an Ed25519 key', { cause: error });
  }
}

function isPublicHalf(x: string): boolean {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }).export({ format: 'jwk' }).x === x;
  } catch {
    return false;
  }
}

/**
 * Calculates a key's thumbprint: the SHA-256 of the public key itself, in base64url. Unlike the `kid`, nobody can
 * choose it.
 * Source: RFC 7638, and RFC 8037 for Ed25519 keys
 */
export function calculateThumbprint({ crv, kty, x }: Pick<PublicJwk, 'crv' | 'kty' | 'x'>): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

/**
 * Makes a new key.
 * @returns the text of a JWK file
 */
export function generateSigningKey(kid = `dev-${randomBytes(6).toString('hex')}`): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid })}\n`;
}
