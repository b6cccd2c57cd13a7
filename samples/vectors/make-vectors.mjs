/**
 * Writes vectors.json: keys that a verifier has to accept, and keys that it has to refuse, each with the expected code.
 * Run it with `node samples/verify-key/make-vectors.mjs`; it writes the same file each time.
 */
import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The private keys of RFC 8032 (7.1, tests 1 and 2). They are published there, so they protect nothing. */
const OURS = privateKeyOf('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
const THEIRS = privateKeyOf('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');

const KID = 'vectors-1';
const HWID = 'device-1234';
const NOW = 1_800_000_000;
const HOUR_S = 60 * 60;
const DAY_S = 24 * HOUR_S;

const HEADER = { alg: 'EdDSA', kid: KID, typ: 'key+jws' };
const CLAIMS = {
  iss: 'https://example.com',
  aud: 'main',
  sub: createHash('sha256').update(`ks1|${HWID}`).digest('base64url'),
  jti: 'vector',
  iat: NOW,
  nbf: NOW,
  exp: NOW + DAY_S,
  src: 'ads',
  v: 1,
};

/** The public key, in the form of the JWKS. */
const JWK = { ...publicJwkOf(OURS), kid: KID, alg: 'EdDSA', use: 'sig' };

const GOOD = signed();

/** A key of a plan that ends in an hour. */
const OF_PLAN = signed({ claims: { ...CLAIMS, exp: NOW + HOUR_S, src: 'plan' } });
const [header, payload, signature] = GOOD.split('.');

/**
 * A key to check, and the expected code.
 * @typedef {Partial<Omit<import('./verify-key.mjs').KeyCheck, 'key'>> & { title: string, key: string, code: import('./verify-key.mjs').KeyVerdict['code'] }} Vector
 */

/**
 * The test vectors. Fields that a vector does not have are those of `common`.
 * @type {{ common: Required<Pick<import('./verify-key.mjs').KeyCheck, 'jwks' | 'hwid' | 'app' | 'now'>>, vectors: Vector[] }}
 */
export const VECTORS = {
  common: {
    jwks: { keys: [JWK] },
    hwid: HWID,
    app: 'main',
    now: NOW,
  },
  vectors: [
    { title: 'a key of ours, on its device', key: GOOD, code: 'VALID' },
    { title: 'in its last second', key: GOOD, now: NOW + DAY_S - 1, code: 'VALID' },
    { title: 'when its 24 hours are over', key: GOOD, now: NOW + DAY_S, code: 'EXPIRED' },
    { title: 'a key of a plan, on its device', key: OF_PLAN, code: 'VALID' },
    { title: 'a key of a plan, when the plan has ended', key: OF_PLAN, now: NOW + HOUR_S, code: 'EXPIRED' },
    { title: 'by a clock that is five minutes slow', key: GOOD, now: NOW - 300, code: 'VALID' },
    { title: 'by a clock that is slower than that', key: GOOD, now: NOW - 301, code: 'NOT_YET' },
    { title: 'threat 21: on another device', key: GOOD, hwid: 'device-5678', code: 'DEVICE_MISMATCH' },
    { title: 'in the other app', key: GOOD, app: 'companion', code: 'APP_MISMATCH' },
    {
      title: 'threat 22: by a clock that was set back, after a later time was seen',
      key: GOOD,
      now: NOW + 3600,
      highWater: NOW + DAY_S,
      code: 'CLOCK_BACK',
    },
    {
      title: 'threat 22: by a clock that is as slow as one may be',
      key: GOOD,
      now: NOW + 3600,
      highWater: NOW + 3900,
      code: 'VALID',
    },
    {
      title: 'threat 20: its end edited',
      key: `${header}.${encode({ ...CLAIMS, exp: NOW + 365 * DAY_S })}.${signature}`,
      code: 'SIGNATURE',
    },
    { title: 'threat 20: without a signature', key: `${header}.${payload}.`, code: 'SIGNATURE' },
    { title: 'threat 20: alg none', key: `${encode({ ...HEADER, alg: 'none' })}.${payload}.`, code: 'SIGNATURE' },
    {
      title: 'threat 20: alg none, our signature left',
      key: `${encode({ ...HEADER, alg: 'none' })}.${payload}.${signature}`,
      code: 'SIGNATURE',
    },
    { title: 'threat 20: HS256, with our public key as the secret', key: hs256(), code: 'SIGNATURE' },
    {
      title: 'threat 20: a right signature under another name of the algorithm',
      key: signed({ header: { ...HEADER, alg: 'Ed25519' } }),
      code: 'SIGNATURE',
    },
    {
      title: 'threat 20: a right signature on another type',
      key: signed({ header: { ...HEADER, typ: 'JWT' } }),
      code: 'SIGNATURE',
    },
    {
      title: 'threat 20: a right signature under a header that asks for more',
      key: signed({ header: { ...HEADER, crit: ['exp'] } }),
      code: 'SIGNATURE',
    },
    { title: 'threat 20: another key under our kid', key: signed({ by: THEIRS }), code: 'SIGNATURE' },
    {
      title: 'threat 20: another key under its own kid',
      key: signed({ header: { ...HEADER, kid: 'theirs' }, by: THEIRS }),
      code: 'UNKNOWN_KID',
    },
    { title: 'threat 20: no kid', key: signed({ header: { alg: 'EdDSA', typ: 'key+jws' } }), code: 'SIGNATURE' },
    {
      title: 'threat 20: the key to check with brought along',
      key: signed({ header: { ...HEADER, jwk: publicJwkOf(THEIRS) }, by: THEIRS }),
      code: 'SIGNATURE',
    },
    { title: 'threat 20: a fourth part', key: `${GOOD}.x`, code: 'SIGNATURE' },
    { title: 'threat 20: a stray character', key: `${GOOD}=`, code: 'SIGNATURE' },
    { title: 'threat 20: a twin spelling of the signature', key: twinOf(GOOD), code: 'SIGNATURE' },
    { title: 'threat 20: claims that are none', key: signed({ claims: 'VALID' }), code: 'SIGNATURE' },
    { title: 'threat 20: garbage', key: 'not.a.key', code: 'SIGNATURE' },
    { title: 'threat 20: nothing', key: '', code: 'SIGNATURE' },
  ],
};

/** @param {{ header?: object, claims?: unknown, by?: import('node:crypto').KeyObject }} [as] */
function signed({ header = HEADER, claims = CLAIMS, by = OURS } = {}) {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), by).toString('base64url')}`;
}

function hs256() {
  const text = `${encode({ ...HEADER, alg: 'HS256' })}.${payload}`;
  return `${text}.${createHmac('sha256', Buffer.from(publicJwkOf(OURS).x ?? '', 'base64url'))
    .update(text)
    .digest('base64url')}`;
}

/**
 * The same key in another spelling: the last character of its base64url has four unused bits.
 * @param {string} key
 */
function twinOf(key) {
  return key.slice(0, -1) + String.fromCharCode(key.charCodeAt(key.length - 1) + 1);
}

/**
 * Makes an Ed25519 private key from 32 bytes, with the prefix of its PKCS #8 form.
 * @param {string} hex
 */
function privateKeyOf(hex) {
  return createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${hex}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
}

/** @param {import('node:crypto').KeyObject} privateKey */
function publicJwkOf(privateKey) {
  const { crv = '', x = '', kty = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  // In this order, which differs from one Node to the next.
  return { crv, x, kty };
}

/** @param {unknown} value */
function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('vectors.json', import.meta.url), `${JSON.stringify(VECTORS, null, 2)}\n`);
}
