import { APP_IDS, type AppId } from '@app/contracts/key-system';
import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { callApi, postJson } from '@app/platform';
import { verifyKey, type KeyVerdict } from '../../../../../samples/verify-key/verify-key.mjs';

/** What is found out about a key. Only the server knows of those that were withdrawn. */
export type Finding = KeyVerdict | { code: 'REVOKED' };

/** What the server says of a key, and for which app. */
export interface ServerFinding {
  code: Finding['code'];
  app: AppId;
}

export interface KeyToCheck {
  key: string;
  hwid: string;
}

/**
 * Checks a key in this browser, for whichever app it is, as that app would.
 * @throws when the public keys cannot be had
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
 * Has the server check a key, for whichever app it is.
 * @throws ApiError when it refuses to, as for what is no device id
 */
export function checkThere(toCheck: KeyToCheck): Promise<ServerFinding> {
  return forItsApp((app) => callApi(keyVerdictSchema, '/api/key/verify', postJson({ ...toCheck, app })));
}

/** A page belongs to no app, so it asks for one after the other until the key is not another's. */
async function forItsApp<Found extends { code: string }>(check: (app: AppId) => Promise<Found>): Promise<Found> {
  const [first, second] = APP_IDS;
  const found = await check(first);
  return found.code === 'APP_MISMATCH' ? check(second) : found;
}
