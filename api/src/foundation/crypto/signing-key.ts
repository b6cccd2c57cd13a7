import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import { kidSchema, type PublicJwk } from './public-jwk.ts';
import { signJws } from './jws.ts';

export interface NamedKey {
  kid: string;
  publicJwk: PublicJwk;
}

/** Signs with one key, whose private half may be in another process. */
export interface Signer extends NamedKey {
  /**
   * Signs claims as a compact JSON Web Signature.
   * @param typ the `typ` of its header
   * @throws SignerUnavailable when no signature came in time
   */
  sign: (typ: string, claims: object) => Promise<string>;
}

/** There is no signature at the moment. It is safe to ask again. */
export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable';
}

/** The signer has too much to do, or has just failed for another request. */
export class SignerBusy extends SignerUnavailable {}

const jwkSchema = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: kidSchema,
  x: v.string(),
  d: v.string(),
});

/** An Ed25519 key pair in this process. */
export interface SigningKey extends Signer {
  privateKey: KeyObject;
}

/** @throws Error when the text is no JWK of an Ed25519 key, or its halves do not belong together */
export function readSigningKey(text: string): SigningKey {
  const jwk = parseJson(jwkSchema, text);
  const privateKey = importPrivate(jwk);
  const { x } = privateKey.export({ format: 'jwk' });
  if (x !== jwk.x) throw new Error('x, the public half, does not belong to d, the private one');

  const { kid } = jwk;
  return {
    kid,
    privateKey,
    publicJwk: { kty: 'OKP', crv: 'Ed25519', kid, x, alg: 'EdDSA', use: 'sig' },
    sign: (typ, claims) => Promise.resolve(signJws({ kid, privateKey }, typ, claims)),
  };
}

function importPrivate(jwk: v.InferOutput<typeof jwkSchema>): KeyObject {
  try {
    return createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  } catch (error) {
    throw new Error('d and x must be the two halves of an Ed25519 key', { cause: error });
  }
}

/** Makes the text of a JWK file. */
export function generateSigningKey(kid = `dev-${randomBytes(6).toString('hex')}`): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return `${JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid })}\n`;
}
