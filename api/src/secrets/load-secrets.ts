import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readAll, type Env } from '#api/env.ts';
import {
  parseAdvertisersInUse,
  parseAdvertisersSettings,
  type AdvertisersSettings,
} from '#api/features/advertisers/advertisers-settings.ts';
import { generateSigningKey, readSigningKey, type SigningKey } from '#api/crypto/signing-key.ts';
import { readNamedFile } from '#api/read-named-file.ts';
import { readOrGenerateSecret, readIfThere } from '#api/crypto/generated-secret-file.ts';

/** Files in the data folder that a development machine generates. */
export const PEPPER_FILE = 'secrets/hwid-pepper';
export const GENERATED_SIGNING_KEY = 'secrets/signing-key.json';
export const GENERATED_NEXT_SIGNING_KEY = 'secrets/next-signing-key.json';

export interface Secrets {
  pepper: string;
  signingKey: SigningKey;
  nextSigningKey: SigningKey | undefined;
  advertisers: AdvertisersSettings | 'sandbox';
}

/**
 * Loads all secrets. In production the settings name all of them. A development machine generates its own on the first
 * start, and has fake advertisers.
 * @throws EnvError that names every setting whose file is unusable
 */
export function loadSecrets(env: Env): Secrets {
  const { NODE_ENV, DATA_DIR, HWID_PEPPER, ADVERTISERS_FILE } = env;
  const parseAdvertisers = NODE_ENV === 'production' ? parseAdvertisersInUse : parseAdvertisersSettings;

  return readAll<Secrets>({
    pepper: () =>
      HWID_PEPPER ?? readOrGenerateSecret(join(DATA_DIR, PEPPER_FILE), () => randomBytes(32).toString('hex')),
    signingKey: () => loadSigningKey(env),
    nextSigningKey: () => loadNextSigningKey(env),
    advertisers: () =>
      ADVERTISERS_FILE === undefined
        ? 'sandbox'
        : readNamedFile('ADVERTISERS_FILE', ADVERTISERS_FILE, parseAdvertisers),
  });
}

function loadSigningKey({ DATA_DIR, SIGNING_KEY_FILE }: Env): SigningKey {
  if (SIGNING_KEY_FILE !== undefined) return readNamedFile('SIGNING_KEY_FILE', SIGNING_KEY_FILE, readSigningKey);

  return readSigningKey(readOrGenerateSecret(join(DATA_DIR, GENERATED_SIGNING_KEY), generateSigningKey));
}

/** A development machine has a next key only while it rotates its signing key. */
function loadNextSigningKey({ DATA_DIR, SIGNING_KEY_FILE, NEXT_SIGNING_KEY_FILE }: Env): SigningKey | undefined {
  if (NEXT_SIGNING_KEY_FILE !== undefined)
    return readNamedFile('NEXT_SIGNING_KEY_FILE', NEXT_SIGNING_KEY_FILE, readSigningKey);
  if (SIGNING_KEY_FILE !== undefined) return undefined;

  const generated = readIfThere(join(DATA_DIR, GENERATED_NEXT_SIGNING_KEY));
  return generated === undefined ? undefined : readSigningKey(generated);
}
