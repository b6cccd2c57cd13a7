/**
 * Checks a key on its device without the server, and the server's signed verdict about a key. One file, no
 * dependencies. It needs WebCrypto with Ed25519 (Node 20, Chromium 137, Firefox 129, Safari 17).
 */

/** How many seconds a device's clock may be behind the server's. */
const CLOCK_SKEW_S = 300;

const ALGORITHM = { name: 'Ed25519' };

/** The y of the points of small order, in hex, without the sign. Anybody can sign for a public key like these. */
const WEAK = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
];

/**
 * @param {import('./verify-key.mjs').KeyCheck} check
 * @returns {Promise<import('./verify-key.mjs').KeyVerdict>}
 */
export async function verifyKey({ key, hwid, app = 'main', jwks, now, highWater: stored }) {
  const { claims, code } = await contentOf(key, 'key+jws', jwks);
  if (code) return { code };
  if (!areClaims(claims)) return { code: 'SIGNATURE' };

  // The signature is right, so the content of the key is true.
  const { aud, iat, exp } = claims;
  const told = { app: aud, issuedAt: iat, expiresAt: exp };
  if (aud !== app) return { code: 'APP_MISMATCH', ...told };
  // The server leaves out what is around a device id, such as the line break of a file.
  if (!(await isFor(claims, typeof hwid === 'string' && hwid.trim()))) return { code: 'DEVICE_MISMATCH', ...told };

  // A valid key also tells a time of the server.
  const highWater = isTime(stored) ? stored : 0;
  if (!isTime(now) || now + CLOCK_SKEW_S < highWater) return { code: 'CLOCK_BACK', ...told };
  if (now + CLOCK_SKEW_S < claims.nbf) return { code: 'NOT_YET', ...told };
  if (now >= exp) return { code: 'EXPIRED', ...told };

  return { code: 'VALID', ...told, highWater: Math.max(highWater, iat) };
}

/**
 * @param {import('./verify-key.mjs').VerdictCheck} check
 * @returns {Promise<import('./verify-key.mjs').CheckedVerdict>}
 */
export async function verifyVerdict({ verdict, nonce, key, hwid, app = 'main', jwks }) {
  const { claims, code } = await contentOf(verdict, 'verdict+jws', jwks);
  if (code === 'UNSUPPORTED') return { code };

  const isAnswer =
    isObject(claims) &&
    claims.v === 1 &&
    typeof nonce === 'string' &&
    claims.nonce === nonce &&
    claims.aud === app &&
    (await isFor(claims, hwid)) &&
    typeof key === 'string' &&
    claims.key === (await hashOf(key));
  if (!isAnswer || typeof claims.code !== 'string') return { code: 'UNTRUSTED' };

  const { code: found, iat, exp } = claims;
  return {
    code: found,
    ...(isTime(iat) && { issuedAt: iat }),
    ...(isTime(exp) && { expiresAt: exp }),
    // No later than the key's end: a server with a wrong clock must not lock the app out.
    ...(isTime(iat) && isTime(exp) && { highWater: Math.min(iat, exp) }),
  };
}

/**
 * The content of a compact JWS with a right signature, or the code that says why there is none.
 * @param {unknown} jws
 * @param {string} type
 * @param {unknown} jwks
 * @returns {Promise<{ claims: unknown, code?: undefined } | { claims?: undefined, code: 'SIGNATURE' | 'UNKNOWN_KID' | 'UNSUPPORTED' }>}
 */
async function contentOf(jws, type, jwks) {
  const [header = '', payload = '', signature = '', ...rest] = typeof jws === 'string' ? jws.split('.') : [];
  const head = readJson(header);
  if (rest.length > 0 || !isOurHeader(head, type)) return { code: 'SIGNATURE' };

  const keys = isObject(jwks) && Array.isArray(jwks.keys) ? jwks.keys : [];
  const jwk = keys.filter(isObject).find(({ kid }) => kid === head.kid);
  if (!jwk) return { code: 'UNKNOWN_KID' };

  const bytes = decode(signature);
  const x = decode(jwk.x);
  if (!bytes || !x || jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || !isPublicKey(x)) return { code: 'SIGNATURE' };

  try {
    const publicKey = await crypto.subtle.importKey('raw', x, ALGORITHM, false, ['verify']);
    const signed = new TextEncoder().encode(`${header}.${payload}`);
    const isSigned = await crypto.subtle.verify(ALGORITHM, publicKey, bytes, signed);
    return isSigned ? { claims: readJson(payload) } : { code: 'SIGNATURE' };
  } catch (error) {
    // Without a secure context a page has no `subtle`. A platform without Ed25519 says that it is not supported.
    const isUnknown = !globalThis.crypto?.subtle || (error instanceof Error && error.name === 'NotSupportedError');
    return { code: isUnknown ? 'UNSUPPORTED' : 'SIGNATURE' };
  }
}

/**
 * Whether 32 bytes can be a public key: a number below 2^255 - 19, and not of small order.
 * @param {Uint8Array} x
 */
function isPublicKey(x) {
  const hex = [...x].map((byte, at) => (at === 31 ? byte & 127 : byte).toString(16).padStart(2, '0'));
  const isTooLarge = hex[31] === '7f' && x.subarray(1, 31).every((byte) => byte === 255) && (x[0] ?? 0) >= 237;
  return x.length === 32 && !isTooLarge && !WEAK.includes(hex.join(''));
}

/**
 * Accepts only one algorithm, whatever the key asks for, and no unknown members.
 * @param {unknown} head
 * @param {string} type
 * @returns {head is { kid: string }}
 */
function isOurHeader(head, type) {
  return (
    isObject(head) &&
    Object.keys(head).length === 3 &&
    head.alg === 'EdDSA' &&
    head.typ === type &&
    typeof head.kid === 'string'
  );
}

/**
 * @param {unknown} claims
 * @returns {claims is { aud: string, sub: string, iat: number, nbf: number, exp: number }}
 */
function areClaims(claims) {
  return (
    isObject(claims) &&
    claims.v === 1 &&
    [claims.aud, claims.sub].every((text) => typeof text === 'string') &&
    [claims.iat, claims.nbf, claims.exp].every(isTime)
  );
}

/**
 * Whether claims are about a device: they have its hash.
 * @param {{ sub?: unknown }} claims
 * @param {unknown} hwid
 */
async function isFor(claims, hwid) {
  return typeof hwid === 'string' && claims.sub === (await hashOf(`ks1|${hwid}`));
}

/** @param {string} text */
async function hashOf(text) {
  return encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
function isTime(value) {
  return Number.isFinite(value);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {string} part
 * @returns {unknown}
 */
function readJson(part) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(decode(part)));
  } catch {
    return undefined;
  }
}

/**
 * Decodes base64url. Undefined for malformed text and for other spellings of the same bytes.
 * @param {unknown} text
 */
function decode(text) {
  if (typeof text !== 'string') return undefined;

  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return encode(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** @param {ArrayBuffer | Uint8Array} bytes */
function encode(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
