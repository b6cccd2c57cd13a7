import { createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

/**
 * `keys.mjs <library> <folder with its node_modules>` reads cases from its standard input. It calls the library for each as
 * docs/compatibility.md says, or with `plain` as its README does at first, and writes `ok` with the end of the key, or why
 * it is refused.
 */
const [, , name = '', folder = ''] = process.argv;
const load = createRequire(`${folder}/x.mjs`);

const RealDate = Date;
let now = 0;
globalThis.Date = /** @type {DateConstructor} */ (
  class extends RealDate {
    /** @param {[number]} given */
    constructor(...given) {
      super(...(given.length > 0 ? given : /** @type {[number]} */ ([now * 1000])));
    }
    /** @override */
    static now() {
      return now * 1000;
    }
  }
);

/** @typedef {{ key: string, jwks: { keys: import('node:crypto').JsonWebKey[] }, app: string, now: number, plain?: boolean }} Case */
/** @typedef {{ aud: unknown, exp: unknown }} Claims */

const kidOf = (/** @type {string} */ key) => JSON.parse(atob(key.split('.')[0] ?? '')).kid;

/** @param {Case} one */
function pick({ key, jwks }) {
  const jwk = jwks.keys.find((one) => one['kid'] === kidOf(key));
  if (!jwk) throw new Error('no such kid');
  return jwk;
}

const pemOf = (/** @type {Case} */ one) =>
  createPublicKey({ key: pick(one), format: 'jwk' }).export({ type: 'spki', format: 'pem' });

/** @type {Record<string, (one: Case) => Promise<Claims> | Claims>} */
const LIBRARIES = {
  async jose({ key, jwks, app, plain }) {
    const { createLocalJWKSet, jwtVerify } = load('jose');
    const options = plain ? {} : { algorithms: ['EdDSA'], typ: 'key+jws', audience: app };
    return (await jwtVerify(key, createLocalJWKSet(jwks), options)).payload;
  },
  'fast-jwt'(one) {
    const options = one.plain ? {} : { algorithms: ['EdDSA'], checkTyp: 'key+jws', allowedAud: one.app };
    return load('fast-jwt').createVerifier({ key: pemOf(one), ...options })(one.key);
  },
  jsonwebtoken(one) {
    return load('jsonwebtoken').verify(one.key, pemOf(one), { algorithms: ['EdDSA'], audience: one.app });
  },
  'aws-jwt-verify'({ key, jwks, app }) {
    const { JwtVerifier } = load('aws-jwt-verify');
    const { iss } = JSON.parse(atob(key.split('.')[1] ?? ''));
    const verifier = JwtVerifier.create({ issuer: iss, audience: app, jwksUri: 'https://unused' });
    verifier.cacheJwks(jwks);
    return verifier.verifySync(key);
  },
  hono({ key, jwks, app, plain }) {
    const verification = plain ? {} : { typ: 'key+jws', aud: app };
    return load('hono/jwt').verifyWithJwks(key, { keys: jwks.keys, allowedAlgorithms: ['EdDSA'], verification });
  },
  async '@tsndr/cloudflare-worker-jwt'(one) {
    const options = { algorithm: 'EdDSA', throwError: true };
    return (await load('@tsndr/cloudflare-worker-jwt').default.verify(one.key, pick(one), options)).payload;
  },
};

const told = [];
for (const one of /** @type {Case[]} */ (JSON.parse(await text(process.stdin)))) {
  now = one.now;
  try {
    told.push(`ok ${String((await LIBRARIES[name]?.(one))?.exp)}`);
  } catch (error) {
    told.push(String(error instanceof Error ? error.message : error));
  }
}
console.log(JSON.stringify(told));
