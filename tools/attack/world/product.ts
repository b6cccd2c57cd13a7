import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';

/** An app that has a key system. */
export type App = 'main' | 'companion';

/** How many steps a run of each app has. */
export const STEPS: Record<App, number> = { main: 6, companion: 3 };

/** The plans of the product's specification. Prices are in cents of a euro. */
export const PLANS = {
  basic: { mode: 1, cents: 99, days: 7 },
  plus: { mode: 2, cents: 299, days: 30 },
  premium: { mode: 3, cents: 1499, days: 365 },
} as const;

export type PlanId = keyof typeof PLANS;

export const PLAN_IDS = Object.keys(PLANS) as PlanId[];

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The subject of a device's keys. */
export const subjectOf = (hwid: string) => createHash('sha256').update(`ks1|${hwid}`).digest('base64url');

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
): Promise<{ jti: string; iat: number; exp: number }> {
  const { payload } = await jwtVerify<{ jti: string; iat: number; exp: number }>(key, createLocalJWKSet(jwks), {
    algorithms: ['EdDSA'],
    typ: 'key+jws',
    audience: app,
    subject: subjectOf(hwid),
    requiredClaims: ['iat', 'exp', 'jti'],
    currentDate: new Date(now),
  });
  if (payload.exp - payload.iat !== DAY_MS / 1000) throw new Error(`It works for ${payload.exp - payload.iat} seconds`);
  return payload;
}
