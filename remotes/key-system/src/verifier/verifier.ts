import { fetchInTime, withQuery } from '@app/platform';
import type { AppId } from '@app/contracts/key-system';
import { verifyKey, type KeyVerdict } from '../../../../samples/typescript/verify-key.mjs';
import { audienceOf } from './read-claims.ts';
import { makeSample } from './make-sample.ts';

/** The result of a check in the browser. */
export type Finding = KeyVerdict;

export interface KeyToCheck {
  key: string;
  hwid: string;
}

export interface Verifier {
  /** Checks a key as an app does, without a request. */
  check: (toCheck: KeyToCheck) => Promise<{ finding: Finding; isSample: boolean }>;
  /**
   * Makes a key to try the check with.
   * @returns undefined when this browser does not support Ed25519
   */
  makeSample: () => Promise<KeyToCheck | undefined>;
}

/**
 * Fetches the public keys. What follows needs no network any more.
 * @throws Error when they cannot be fetched
 */
export async function openVerifier(): Promise<Verifier> {
  const { jwks, seen } = await fetchInTime('/.well-known/jwks.json', {}, async (response) => {
    if (!response.ok) throw new Error(`The public keys are not to be had: ${response.status}`);

    return {
      jwks: (await response.json()) as Parameters<typeof verifyKey>[0]['jwks'],
      seen: Date.parse(response.headers.get('date') ?? ''),
    };
  });
  const highWater = Number.isNaN(seen) ? 0 : seen / 1000;
  let sample: Awaited<ReturnType<typeof makeSample>>;

  return {
    check: async ({ key, hwid }) => ({
      // The page that checks keys belongs to no app.
      finding: await verifyKey({
        ...{ key, hwid, app: audienceOf(key), highWater, now: Date.now() / 1000 },
        jwks: sample ? { keys: [...jwks.keys, sample.publicKey] } : jwks,
      }),
      isSample: key === sample?.key,
    }),

    makeSample: async () => {
      sample ??= await makeSample();
      return sample && { key: sample.key, hwid: sample.hwid };
    },
  };
}

/**
 * Fetches the key of a device as its app does.
 * @returns undefined when the server gives no key
 */
export async function fetchKey(
  app: AppId,
  { hwid, zone }: { hwid: string; zone: string | undefined },
  signal: AbortSignal,
): Promise<string | undefined> {
  return fetchInTime(withQuery('/api/key', { hwid, app, zone }), { signal }, async (response) => {
    const { key } = (await response.json()) as { key?: unknown };
    return typeof key === 'string' ? key : undefined;
  });
}
