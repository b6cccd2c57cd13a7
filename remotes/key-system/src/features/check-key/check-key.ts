import { APP_IDS } from '@app/contracts/key-system';
import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { callApi, postJson } from '@app/platform';
import { verifyKey, type KeyVerdict } from '../../../../../samples/verify-key/verify-key.mjs';

/** What is found out about a key. Only the server knows of those that were withdrawn. */
export type Finding = KeyVerdict | { code: 'REVOKED' };

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

  const [first, second] = APP_IDS;
  const verdict = await verifyKey({ ...check, audience: first });
  return verdict.code === 'AUDIENCE' ? verifyKey({ ...check, audience: second }) : verdict;
}

/**
 * Has the server check a key.
 * @throws ApiError when it refuses to, as for what is no device id
 */
export async function checkThere(toCheck: KeyToCheck): Promise<Finding['code']> {
  const { code } = await callApi(keyVerdictSchema, '/api/key/verify', postJson(toCheck));
  return code;
}
