import { fetchInTime, withQuery } from '@app/platform';
import type { AppId } from '@app/contracts/key-system';
import { verifyKey, type KeyVerdict } from '../../../../samples/typescript/verify-key.mjs';
import { audienceOf } from './read-claims.ts';

const ALGORITHM = 'Ed25519';
const HWID = 'demo-device-0001';
const DAY_S = 24 * 60 * 60;

export type Finding = KeyVerdict;

export interface KeyToCheck {
  key: string;
  hwid: string;
}

export type Verifier = Awaited<ReturnType<typeof openVerifier>>;

/** Fetches the public keys. What follows needs no network any more. */
export async function openVerifier() {
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
    /** Checks a key as an app does, without a request. */
    check: async ({ key, hwid }: KeyToCheck): Promise<{ finding: Finding; isSample: boolean }> => ({
      // The page that checks keys belongs to no app.
      finding: await verifyKey({
        ...{ key, hwid, app: audienceOf(key), highWater, now: Date.now() / 1000 },
        jwks: sample ? { keys: [...jwks.keys, sample.publicKey] } : jwks,
      }),
      isSample: key === sample?.key,
    }),

    /** Makes a key to try the check with; undefined when this browser does not support Ed25519. */
    makeSample: async (): Promise<KeyToCheck | undefined> => {
      sample ??= await makeSample();
      return sample && { key: sample.key, hwid: sample.hwid };
    },
  };
}

/** Fetches the key of a device as its app does; undefined when the server gives none. */
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

interface Sample extends KeyToCheck {
  /** What its signature is checked with. It is published nowhere, so no app accepts the key. */
  publicKey: { kid: string; kty: string; crv: string; x: string };
}

/**
 * Makes a key in the form of ours, valid from now on. It is signed in this browser, with a signing key that is made for it
 * and cannot be exported.
 * @returns undefined when this browser does not support Ed25519
 */
async function makeSample(): Promise<Sample | undefined> {
  const pair = await makePair();
  if (!pair) return undefined;

  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const kid = `sample-${x}`;
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    ...{ iss: location.origin, aud: 'main', jti: 'sample', src: 'ads', v: 1 },
    ...{ iat, nbf: iat, exp: iat + DAY_S },
    sub: encode(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`ks1|${HWID}`))),
  };
  const signed = [{ alg: 'EdDSA', kid, typ: 'key+jws' }, claims]
    .map((part) => encode(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  const signature = await crypto.subtle.sign(ALGORITHM, pair.privateKey, new TextEncoder().encode(signed));

  return { key: `${signed}.${encode(signature)}`, hwid: HWID, publicKey: { kid, kty: 'OKP', crv: ALGORITHM, x } };
}

async function makePair(): Promise<CryptoKeyPair | undefined> {
  try {
    return await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  } catch {
    return undefined;
  }
}

function encode(bytes: ArrayBuffer | Uint8Array): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
