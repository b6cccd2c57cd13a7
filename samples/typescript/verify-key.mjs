/**
 * Checks a key on its device without the server. An app does this each time it starts. One file, no dependencies. It
 * needs WebCrypto with Ed25519 (Node 20, Chromium 137, Firefox 129, Safari 17).
 */

/** How many seconds a device's clock may be behind the server's. */
const CLOCK_SKEW_S = 300;

const ALGORITHM = { name: 'Ed25519' };

/**
 * @param {import('./verify-key.mjs').KeyCheck} check
 * @returns {Promise<import('./verify-key.mjs').KeyVerdict>} never rejects, whatever the key contains
 */
export async function verifyKey({ key, hwid, app = 'main', jwks, now, highWater = 0 }) {
  const [header = '', payload = '', signature = '', ...rest] = key.split('.');
  const head = readJson(header);
  if (rest.length > 0 || !isOurHeader(head)) return { code: 'SIGNATURE' };

  const jwk = jwks.keys.find(({ kid }) => kid === head.kid);
  if (!jwk) return { code: 'UNKNOWN_KID' };

  const publicKey = await importKey(jwk);
  if (!publicKey) return { code: 'UNSUPPORTED' };

  const bytes = decode(signature);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  if (!bytes || !(await crypto.subtle.verify(ALGORITHM, publicKey, bytes, signed))) return { code: 'SIGNATURE' };

  const claims = readJson(payload);
  if (!areClaims(claims)) return { code: 'SIGNATURE' };

  // The signature is right, so the content of the key is true.
  const { aud, iat, exp } = claims;
  const told = { app: aud, issuedAt: iat, expiresAt: exp };
  if (aud !== app) return { code: 'APP_MISMATCH', ...told };
  if (claims.sub !== (await subjectOf(hwid))) return { code: 'DEVICE_MISMATCH', ...told };

  // A valid key also tells a time of the server.
  if (now + CLOCK_SKEW_S < highWater) return { code: 'CLOCK_BACK', ...told };
  if (now + CLOCK_SKEW_S < claims.nbf) return { code: 'NOT_YET', ...told };
  if (now >= exp) return { code: 'EXPIRED', ...told };

  return { code: 'VALID', ...told, highWater: Math.max(highWater, iat) };
}

/**
 * The hash that a key contains instead of the device id.
 * @param {string} hwid
 */
async function subjectOf(hwid) {
  return encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`ks1|${hwid}`)));
}

/**
 * Imports a public key. Undefined when the platform does not support Ed25519, or the page has no secure context.
 * @param {import('./verify-key.mjs').KeyCheck['jwks']['keys'][number]} jwk
 */
async function importKey({ kty, crv = '', x = '' }) {
  if (!globalThis.crypto?.subtle) return undefined;

  try {
    return await crypto.subtle.importKey('jwk', { kty, crv, x }, ALGORITHM, false, ['verify']);
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') return undefined;
    throw error;
  }
}

/**
 * Accepts only one algorithm, whatever the key asks for, and no unknown members.
 * @param {unknown} head
 * @returns {head is { kid: string }}
 */
function isOurHeader(head) {
  return (
    isObject(head) &&
    Object.keys(head).length === 3 &&
    head.alg === 'EdDSA' &&
    head.typ === 'key+jws' &&
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
    [claims.iat, claims.nbf, claims.exp].every(Number.isFinite)
  );
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
 * @param {string} text
 */
function decode(text) {
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
