import type { PublicJwk } from './public-jwk.ts';

/** The public half of a key, which names it. */
export interface NamedKey {
  kid: string;
  publicJwk: PublicJwk;
}

/** Signs with one key. Where the private half is, only the signer knows. */
export interface Signer extends NamedKey {
  /**
   * Signs claims as a compact JSON Web Signature.
   * @param typ the `typ` of its header
   * @throws SignerUnavailable when no signature came in time; nothing was signed that anybody has
   */
  sign: (typ: string, claims: object) => Promise<string>;
}

/** There is no signature at the moment. It is safe to ask again. */
export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable';
}
