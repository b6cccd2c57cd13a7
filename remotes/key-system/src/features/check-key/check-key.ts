import { APP_IDS, type AppId } from '@app/contracts/key-system';
import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { callApi, postJson } from '@app/platform';
import type { KeyVerdict } from '../../../../../samples/verify-key/verify-key.mjs';

/** The result of a check in the browser. */
export type Finding = KeyVerdict;

/** The result of the server's check. Only the server knows that a key was revoked. */
export type ServerFinding = Exclude<Finding['code'], 'CLOCK_BACK' | 'NOT_YET' | 'UNSUPPORTED'> | 'REVOKED';

export interface KeyToCheck {
  key: string;
  hwid: string;
}

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
 * @param app the app that the key is for; undefined: both are tried
 * @throws ApiError when the server answers with an error, such as for a malformed device id
 */
export async function checkThere(toCheck: KeyToCheck, app: string | undefined): Promise<ServerFinding> {
  const { code } = await forItsApp(
    (each) => callApi(keyVerdictSchema, '/api/key/verify', postJson({ ...toCheck, app: each })),
    APP_IDS.filter((each) => app === undefined || each === app),
  );
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

/** Checks a key for the first app and, when the key is for another app, for the second. The page belongs to no app. */
export async function forItsApp<Found extends { code: string }>(
  check: (app: AppId) => Promise<Found>,
  [first = 'main', second]: readonly AppId[] = APP_IDS,
): Promise<Found> {
  const found = await check(first);
  return found.code === 'APP_MISMATCH' && second ? check(second) : found;
}
