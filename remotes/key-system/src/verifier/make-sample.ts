const ALGORITHM = 'Ed25519';
const HWID = 'demo-device-0001';
const DAY_S = 24 * 60 * 60;

interface Sample {
  key: string;
  hwid: string;
  /** What its signature is checked with. It is published nowhere, so no app accepts the key. */
  publicKey: { kid: string; kty: string; crv: string; x: string };
}

/**
 * Makes a key in the form of ours, valid from now on. It is signed in this browser, with a signing key that is made for it
 * and cannot be exported.
 * @returns undefined when this browser does not support Ed25519
 */
export async function makeSample(): Promise<Sample | undefined> {
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

/** Writes bytes as base64url. */
function encode(bytes: ArrayBuffer | Uint8Array): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
