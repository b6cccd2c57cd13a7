/**
 * Writes vectors.json: keys and verdicts that a verifier has to accept, and those that it has to refuse, each with the
 * expected code. Run it with `node samples/vectors/make-vectors.mjs`; it writes the same file each time.
 */
import { createHash, createHmac, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bytesOf, numberOf, ORDER, ORDER_8, P, privateKeyOf, publicJwkOf, sha512 } from './ed25519.mjs';

/** The private keys of RFC 8032 (7.1, tests 1 and 2). They are published there, so they protect nothing. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const OURS = privateKeyOf(SEED);
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
const [header = '', payload = '', signature = ''] = GOOD.split('.');

const NONCE = 'nonce-of-the-question';
const VERDICT = {
  v: 1,
  nonce: NONCE,
  aud: 'main',
  sub: CLAIMS.sub,
  key: createHash('sha256').update(GOOD).digest('base64url'),
  code: 'VALID',
  exp: CLAIMS.exp,
  iat: NOW,
};

/**
 * What to check, and the expected code. A verifier has to bear any value, so a vector may have any.
 * @typedef {{ title: string, code: string, key?: unknown, hwid?: unknown, app?: string, jwks?: unknown, now?: unknown, highWater?: unknown }} Vector
 * @typedef {{ title: string, code: string, highWater?: number, verdict: unknown, nonce?: unknown, key?: unknown, hwid?: unknown, app?: string, jwks?: unknown }} VerdictVector
 */

/**
 * The test vectors. Fields that a vector does not have are those of `common`; one that is null is null.
 * @type {{ common: { jwks: { keys: (typeof JWK)[] }, hwid: string, app: string, now: number, key: string, nonce: string }, vectors: Vector[], verdicts: VerdictVector[] }}
 */
export const VECTORS = {
  common: {
    jwks: { keys: [JWK] },
    hwid: HWID,
    app: 'main',
    now: NOW,
    key: GOOD,
    nonce: NONCE,
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
    { title: 'white space around the device', key: GOOD, hwid: `\t ${HWID}\r\n`, code: 'VALID' },
    { title: 'in the other app', key: GOOD, app: 'companion', code: 'APP_MISMATCH' },
    {
      title: 'threat 22: by a clock that was set back, after a later time was seen',
      ...seenLater(NOW + DAY_S),
      code: 'CLOCK_BACK',
    },
    { title: 'threat 22: by a clock that is as slow as one may be', ...seenLater(NOW + 3900), code: 'VALID' },
    ...refused({
      'threat 20: its end edited': `${header}.${encode({ ...CLAIMS, exp: NOW + 365 * DAY_S })}.${signature}`,
      'threat 20: without a signature': `${header}.${payload}.`,
      'threat 20: alg none': `${encode({ ...HEADER, alg: 'none' })}.${payload}.`,
      'threat 20: alg none, our signature left': `${encode({ ...HEADER, alg: 'none' })}.${payload}.${signature}`,
      'threat 20: HS256, with our public key as the secret': hs256(),
      'threat 20: a right signature under another name of the algorithm': signed({
        header: { ...HEADER, alg: 'Ed25519' },
      }),
      'threat 20: a right signature on another type': signed({ header: { ...HEADER, typ: 'JWT' } }),
      'threat 20: a right signature under a header that asks for more': signed({
        header: { ...HEADER, crit: ['exp'] },
      }),
      'threat 20: another key under our kid': signed({ by: THEIRS }),
    }),
    {
      title: 'threat 20: another key under its own kid',
      key: signed({ header: { ...HEADER, kid: 'theirs' }, by: THEIRS }),
      code: 'UNKNOWN_KID',
    },
    ...refused({
      'threat 20: no kid': signed({ header: { alg: 'EdDSA', typ: 'key+jws' } }),
      'threat 20: the key to check with brought along': signed({
        header: { ...HEADER, jwk: publicJwkOf(THEIRS) },
        by: THEIRS,
      }),
      'threat 20: a fourth part': `${GOOD}.x`,
      'threat 20: a stray character': `${GOOD}=`,
      'threat 20: a twin spelling of the signature': twinOf(GOOD),
    }),
    ...odd('another version', [2, true, '1', null], (v) => ({
      key: signed({ claims: { ...CLAIMS, v } }),
      code: 'SIGNATURE',
    })),
    ...refused({
      'threat 20: claims that are none': signed({ claims: 'VALID' }),
      'threat 20: garbage': 'not.a.key',
      'threat 20: nothing': '',
      'a line break at the end': `${GOOD}\n`,
      'threat 20: a scalar that the order was added to': withLargeScalar(),
      'threat 20: a point R with a part of small order': withMixedPoint(),
      'threat 20: a point R that could be written shorter': withLongZero(P + 1n),
      'threat 20: a point R whose zero has a sign': withLongZero(2n ** 255n + 1n),
    }),

    ...odd('a key that is no text', [null, 5, true, [], {}], (key) => ({ key, code: 'SIGNATURE' })),
    ...refused({ 'other letters in the key': `${header}.ключ😀.${signature}` }),
    ...odd('a device that is no text', [null, 5, {}], (hwid) => ({ hwid, code: 'DEVICE_MISMATCH' })),
    { title: 'no clock', now: null, code: 'CLOCK_BACK' },
    { title: 'a clock that is a text', now: 'now', code: 'CLOCK_BACK' },
    { title: 'no high water', highWater: null, code: 'VALID' },
    { title: 'a high water that is a text', highWater: 'high', code: 'VALID' },

    ...odd(
      'odd public keys',
      [null, 5, 'keys', [], {}, { keys: null }, { keys: 'keys' }, { keys: {} }, { keys: [] }],
      (jwks) => ({ jwks, code: 'UNKNOWN_KID' }),
    ),
    { title: 'entries that are none', jwks: { keys: [null, 5, 'key', [], {}] }, code: 'UNKNOWN_KID' },
    {
      title: 'entries whose kid is no text',
      jwks: { keys: [null, 5].map((kid) => ({ ...JWK, kid })) },
      code: 'UNKNOWN_KID',
    },
    { title: 'ours after entries that are none', jwks: { keys: [null, 5, 'key', [], {}, JWK] }, code: 'VALID' },
    { title: 'ours as the first of two with a kid', jwks: { keys: [JWK, ofX(publicJwkOf(THEIRS).x)] }, code: 'VALID' },
    {
      title: 'ours as the second of two with a kid',
      jwks: { keys: [ofX(publicJwkOf(THEIRS).x), JWK] },
      code: 'SIGNATURE',
    },
    { title: 'a public key of another type', jwks: { keys: [{ ...JWK, kty: 'EC' }] }, code: 'SIGNATURE' },
    { title: 'a public key without a type', jwks: { keys: [{ ...JWK, kty: null }] }, code: 'SIGNATURE' },
    { title: 'a public key on another curve', jwks: { keys: [{ ...JWK, crv: 'X25519' }] }, code: 'SIGNATURE' },
    ...odd(
      'a public key with an odd x',
      [null, 5, {}, '', 'x', '!', `${JWK.x}=`, `${JWK.x}A`, JWK.x.slice(0, -1), JWK.x.slice(0, -2), twinOf(JWK.x)],
      (x) => ({ jwks: { keys: [ofX(x)] }, code: 'SIGNATURE' }),
    ),
    {
      title: 'a public key that is no point',
      jwks: { keys: [ofX(bytesOf(2n).toString('base64url'))] },
      code: 'SIGNATURE',
    },
    ...[1n, 2n ** 255n + 1n, P + 1n, P - 1n, 0n, P, ...ORDER_8].map((y) => ({
      title: `a public key of small order, for which anybody can sign: ${bytesOf(y).toString('hex')}`,
      ...byAnybody(bytesOf(y)),
      code: 'SIGNATURE',
    })),
  ],
  verdicts: [
    { title: 'an answer to the question', verdict: verdict(), code: 'VALID', highWater: NOW },
    {
      title: 'threat 22: the answer about a key that has ended',
      verdict: verdict({ code: 'EXPIRED', iat: CLAIMS.exp + HOUR_S }),
      code: 'EXPIRED',
      highWater: CLAIMS.exp,
    },
    {
      title: 'threat 22: an answer of a server with a wrong clock',
      verdict: verdict({ iat: 4_070_908_800 }),
      code: 'VALID',
      highWater: CLAIMS.exp,
    },
    ...odd('an answer of an odd time', [null, 'soon', true], (iat) => ({ verdict: verdict({ iat }), code: 'VALID' })),
    { title: 'a key that was withdrawn', verdict: verdict({ code: 'REVOKED', exp: null }), code: 'REVOKED' },
    { title: 'a code that is new', verdict: verdict({ code: 'PAUSED', exp: null }), code: 'PAUSED' },
    { title: 'an earlier answer', verdict: verdict({ nonce: 'nonce-of-another-one' }), code: 'UNTRUSTED' },
    { title: 'no nonce on both sides', verdict: verdict({ nonce: null }), nonce: null, code: 'UNTRUSTED' },
    { title: 'the answer for another device', verdict: verdict(), hwid: 'device-5678', code: 'UNTRUSTED' },
    { title: 'no device', verdict: verdict(), hwid: null, code: 'UNTRUSTED' },
    { title: 'the answer for the other app', verdict: verdict({ aud: 'companion' }), code: 'UNTRUSTED' },
    { title: 'the answer about another key', verdict: verdict(), key: OF_PLAN, code: 'UNTRUSTED' },
    { title: 'no key', verdict: verdict(), key: null, code: 'UNTRUSTED' },
    ...odd('another version', [2, true, '1', null], (v) => ({ verdict: verdict({ v }), code: 'UNTRUSTED' })),
    { title: 'a code that is no text', verdict: verdict({ code: 1 }), code: 'UNTRUSTED' },
    {
      title: 'its code edited',
      verdict: `${verdict({ code: 'REVOKED' }).split('.')[0]}.${encode(VERDICT)}.${verdict({ code: 'REVOKED' }).split('.')[2]}`,
      code: 'UNTRUSTED',
    },
    { title: 'without a signature', verdict: `${verdict().slice(0, verdict().lastIndexOf('.'))}.`, code: 'UNTRUSTED' },
    {
      title: 'signed with another key',
      verdict: signed({ header: { ...HEADER, typ: 'verdict+jws' }, claims: VERDICT, by: THEIRS }),
      code: 'UNTRUSTED',
    },
    {
      title: 'signed with another key, which is brought along',
      verdict: verdict(),
      jwks: { keys: [ofX(publicJwkOf(THEIRS).x)] },
      code: 'UNTRUSTED',
    },
    {
      title: 'signed with a key that is not pinned',
      verdict: signed({ header: { ...HEADER, typ: 'verdict+jws', kid: 'theirs' }, claims: VERDICT, by: THEIRS }),
      code: 'UNTRUSTED',
    },
    { title: 'a right signature on a key', verdict: signed({ claims: VERDICT }), code: 'UNTRUSTED' },
    { title: 'a key itself', verdict: GOOD, code: 'UNTRUSTED' },
    {
      title: 'claims that are none',
      verdict: signed({ header: { ...HEADER, typ: 'verdict+jws' }, claims: 'VALID' }),
      code: 'UNTRUSTED',
    },
    ...odd('a verdict that is none', [null, 5, {}, '', '..', 'VALID'], (none) => ({
      verdict: none,
      code: 'UNTRUSTED',
    })),
    ...odd('with odd public keys', [null, 5, { keys: null }], (jwks) => ({
      verdict: verdict(),
      jwks,
      code: 'UNTRUSTED',
    })),
  ],
};

/**
 * Keys that a verifier refuses for their signature, by what is wrong with them.
 * @param {Record<string, string>} keys
 */
function refused(keys) {
  return Object.entries(keys).map(([title, key]) => ({ title, key, code: 'SIGNATURE' }));
}

/**
 * A vector for each odd value.
 * @template {object} Made
 * @param {string} what
 * @param {unknown[]} values
 * @param {(value: unknown) => Made} make
 */
function odd(what, values, make) {
  return values.map((value) => ({ title: `${what}: ${JSON.stringify(value)}`, ...make(value) }));
}

/** @param {number} highWater the time that was seen before */
function seenLater(highWater) {
  return { key: GOOD, now: NOW + 3600, highWater };
}

/** @param {object} [claims] */
function verdict(claims = {}) {
  return signed({ header: { ...HEADER, typ: 'verdict+jws' }, claims: { ...VERDICT, ...claims } });
}

/**
 * The entry of the public keys with another x.
 * @param {unknown} x
 */
function ofX(x) {
  return { ...JWK, x };
}

/** A second signature that a verifier without bounds takes for right. */
function withLargeScalar() {
  const bytes = Buffer.from(signature, 'base64url');
  return `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), bytesOf(numberOf(bytes.subarray(32)) + ORDER)]).toString('base64url')}`;
}

/** A signature of ours whose R has the point of order 2 added: right only for those who multiply by 8. */
function withMixedPoint() {
  const nonce = sha512(secret().prefix, Buffer.from(`${header}.${payload}`)) % ORDER;
  const point = numberOf(Buffer.from(signature, 'base64url').subarray(0, 32));
  const isNegative = point >> 255n;
  return signedAt(bytesOf(P - (point % 2n ** 255n) + (1n - isNegative) * 2n ** 255n), nonce);
}

/**
 * A signature of ours whose R is the point (0, 1), in another spelling.
 * @param {bigint} spelling
 */
function withLongZero(spelling) {
  return signedAt(bytesOf(spelling), 0n);
}

/**
 * @param {Buffer} point R
 * @param {bigint} nonce what R is made of
 */
function signedAt(point, nonce) {
  const text = Buffer.from(`${header}.${payload}`);
  const hash = sha512(point, Buffer.from(JWK.x, 'base64url'), text);
  const scalar = bytesOf((nonce + hash * secret().scalar) % ORDER);
  return `${header}.${payload}.${Buffer.concat([point, scalar]).toString('base64url')}`;
}

/**
 * A public key of small order, and a key with a signature that needs no private key: R is the point (0, 1), and S is 0.
 * The claims are tried until the hash is a multiple of 8.
 * @param {Buffer} publicKey
 */
function byAnybody(publicKey) {
  const point = bytesOf(1n);
  for (let jti = 0; ; jti += 1) {
    const text = `${header}.${encode({ ...CLAIMS, jti: String(jti) })}`;
    if ((sha512(point, publicKey, Buffer.from(text)) % ORDER) % 8n !== 0n) continue;

    const key = `${text}.${Buffer.concat([point, bytesOf(0n)]).toString('base64url')}`;
    return { key, jwks: { keys: [ofX(publicKey.toString('base64url'))] } };
  }
}

/** The two halves of our private key (RFC 8032, 5.1.5). */
function secret() {
  const hash = createHash('sha512').update(Buffer.from(SEED, 'hex')).digest();
  const scalar = (numberOf(hash.subarray(0, 32)) & (2n ** 255n - 8n) & (2n ** 254n - 1n)) | (2n ** 254n);
  return { scalar, prefix: hash.subarray(32) };
}

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

/** @param {unknown} value */
function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('vectors.json', import.meta.url), `${JSON.stringify(VECTORS, null, 2)}\n`);
}
