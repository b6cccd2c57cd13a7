import { APP_IDS, type AppId } from '@app/contracts/key-system';
import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { callApi, postJson } from '@app/platform';
import { verifyKey, type KeyVerdict } from '../../../../../samples/verify-key/verify-key.mjs';

/** The result of a check. Only the server knows that a key was revoked. */
export type Finding = KeyVerdict | { code: 'REVOKED' };

/** The server's result, and the app that it applies to. */
export interface ServerFinding {
  code: Finding['code'];
  app: AppId;
}

export interface KeyToCheck {
  key: string;
  hwid: string;
}

/**
 * Checks a key in this browser, in the same way as the app that the key is for.
 * @throws Error when the public keys cannot be fetched
 */
export async function checkHere({ key, hwid }: KeyToCheck): Promise<Finding> {
  const response = await fetch('/.well-known/jwks.json');
  if (!response.ok) throw new Error(`The public keys are not to be had: ${response.status}`);

  const jwks = (await response.json()) as Parameters<typeof verifyKey>[0]['jwks'];
  const seen = Date.parse(response.headers.get('date') ?? '');
  const check = { key, hwid, jwks, now: Date.now() / 1000, highWater: Number.isNaN(seen) ? 0 : seen / 1000 };

  return forItsApp((app) => verifyKey({ ...check, app }));
}

/**
 * Has the server check a key, for the app that the key is for.
 * @throws ApiError when the server answers with an error, such as for a malformed device id
 */
export function checkThere(toCheck: KeyToCheck): Promise<ServerFinding> {
  return forItsApp((app) => callApi(keyVerdictSchema, '/api/key/verify', postJson({ ...toCheck, app })));
}

/**
 * Whether a key comes from a plan and not from completed steps.
 * @param key whose signature was found right; otherwise its content means nothing
 */
export function isFromPlan(key: string): boolean {
  const [, payload = ''] = key.split('.');
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { src?: unknown };
  return claims.src === 'plan';
}

/** Checks a key for the first app and, when the key is for another app, for the second. The page belongs to no app. */
async function forItsApp<Found extends { code: string }>(check: (app: AppId) => Promise<Found>): Promise<Found> {
  const [first, second] = APP_IDS;
  const found = await check(first);
  return found.code === 'APP_MISMATCH' ? check(second) : found;
}
