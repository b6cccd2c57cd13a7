import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { callApi, postJson } from '@app/platform';
import { audienceOf } from '../../verifier/audience-of.ts';
import type { Finding, KeyToCheck } from '../../verifier/verifier.ts';

/** The result of the server's check. Only the server knows that a key was revoked. */
export type ServerFinding = Exclude<Finding['code'], 'CLOCK_BACK' | 'NOT_YET' | 'UNSUPPORTED'> | 'REVOKED';

/** What a check looks at, in this order. It stops at the first that is wrong. */
export const CHECKED_PARTS = ['signature', 'device', 'time'] as const;

/** How many parts of a check were passed. */
export function countPassed({ code }: Finding): number {
  switch (code) {
    case 'SIGNATURE':
    case 'UNKNOWN_KID':
    case 'UNSUPPORTED':
      return 0;
    case 'APP_MISMATCH':
    case 'DEVICE_MISMATCH':
      return 1;
    case 'CLOCK_BACK':
    case 'NOT_YET':
    case 'EXPIRED':
      return 2;
    case 'VALID':
      return 3;
  }
}

/**
 * Has the server check a key.
 * @param app the app that the key is for; undefined: the one that it names
 * @throws ApiError when the server answers with an error, such as for a malformed device id
 */
export async function checkThere(toCheck: KeyToCheck, app: string | undefined): Promise<ServerFinding> {
  const named = app ?? audienceOf(toCheck.key);
  const { code } = await callApi(keyVerdictSchema, '/api/key/verify', postJson({ ...toCheck, app: named }));
  return code;
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
