import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import type { App } from '../world/product.ts';

/** The claims of a key. Times are in epoch seconds. */
interface KeyClaims {
  jti: string;
  iat: number;
  exp: number;
}

/**
 * Verifies a key offline, like an app. It uses another library than the server.
 * @param now in epoch milliseconds
 * @throws Error when the signature, the audience, the device or the time is wrong
 */
export async function verifyOffline(
  jwks: JSONWebKeySet,
  { app, hwid }: { app: App; hwid: string },
  key: string,
  now: number = Date.now(),
): Promise<KeyClaims> {
  const { payload } = await jwtVerify<KeyClaims>(key, createLocalJWKSet(jwks), {
    algorithms: ['EdDSA'],
    typ: 'key+jws',
    audience: app,
    subject: createHash('sha256').update(`ks1|${hwid}`).digest('base64url'),
    requiredClaims: ['iat', 'exp', 'jti'],
    currentDate: new Date(now),
  });
  if (payload.exp - payload.iat !== 24 * 60 * 60) throw new Error(`It works for ${payload.exp - payload.iat} seconds`);
  return payload;
}
