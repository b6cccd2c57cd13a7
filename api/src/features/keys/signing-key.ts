import { createPrivateKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { jwksSchema } from '@app/contracts/key-system-schemas';
import * as v from 'valibot';

const jwkSchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/)),
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
  const jwk = v.parse(jwkSchema, JSON.parse(text));
  const privateKey = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const { x } = privateKey.export({ format: 'jwk' });
  if (x !== jwk.x) throw new Error('the public half does not belong to the private one');

  return { kid: jwk.kid, privateKey, publicJwk: { kty: 'OKP', crv: 'Ed25519', kid: jwk.kid, x, alg: 'EdDSA', use: 'sig' } };
}

/** A new key as the text of a JWK file. */
export function generateSigningKey(kid = `dev-${randomBytes(6).toString('hex')}`): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid })}\n`;
}
