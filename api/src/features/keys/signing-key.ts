import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { jwksSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';
import { parseJson } from '#api/parse-json.ts';

const jwkSchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')),
  x: v.string(),
  d: v.string(),
});

export type PublicJwk = v.InferOutput<typeof jwksSchema>['keys'][number];

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: PublicJwk;
}

/**
 * Reads the server's Ed25519 key from the text of a JWK file.
 * The public half is worked out from the private one, so a file whose halves disagree is refused.
 */
export function readSigningKey(text: string): SigningKey {
  const jwk = parseJson(jwkSchema, text);
  const privateKey = importPrivate(jwk);
  const { x } = privateKey.export({ format: 'jwk' });
  if (x !== jwk.x) throw new Error('x, the public half, does not belong to d, the private one');

  return { kid: jwk.kid, privateKey, publicJwk: { kty: 'OKP', crv: 'Ed25519', kid: jwk.kid, x, alg: 'EdDSA', use: 'sig' } };
}

function importPrivate(jwk: v.InferOutput<typeof jwkSchema>): KeyObject {
  try {
    return createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  } catch (error) {
    throw new Error('d and x must be the two halves of an Ed25519 key', { cause: error });
  }
}

/** A new key as the text of a JWK file. */
export function generateSigningKey(kid = `dev-${randomBytes(6).toString('hex')}`): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid })}\n`;
}
