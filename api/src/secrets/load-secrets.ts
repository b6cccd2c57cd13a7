import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Env } from '#api/env.ts';
import { parseAdvertisersInUse, parseAdvertisersSettings, type AdvertisersSettings } from '#api/features/advertisers/advertisers-settings.ts';
import { generateSigningKey, readSigningKey, type SigningKey } from '#api/features/keys/signing-key.ts';
import { readNamedFile } from '#api/read-named-file.ts';
import { keepFile } from './kept-file.ts';

/** What a development machine makes for itself, within the data folder. */
export const PEPPER_FILE = 'secrets/hwid-pepper';
const KEPT_SIGNING_KEY = 'secrets/signing-key.json';

export interface Secrets {
  pepper: string;
  signingKey: SigningKey;
  advertisers: AdvertisersSettings | 'sandbox';
}

/**
 * Brings together what must not be in the code. A production start has named all of it by now;
 * a development machine makes its own on the first start, and gets stand-ins for the advertisers.
 * @throws EnvError that names the setting whose file is unusable
 */
export function loadSecrets({ NODE_ENV, DATA_DIR, HWID_PEPPER, SIGNING_KEY_FILE, ADVERTISERS_FILE }: Env): Secrets {
  const parseAdvertisers = NODE_ENV === 'production' ? parseAdvertisersInUse : parseAdvertisersSettings;
  const kept = (name: string, make: () => string) => keepFile(join(DATA_DIR, name), make);

  return {
    pepper: HWID_PEPPER ?? kept(PEPPER_FILE, () => randomBytes(32).toString('hex')),
    signingKey:
      SIGNING_KEY_FILE === undefined
        ? readSigningKey(kept(KEPT_SIGNING_KEY, generateSigningKey))
        : readNamedFile('SIGNING_KEY_FILE', SIGNING_KEY_FILE, readSigningKey),
    advertisers: ADVERTISERS_FILE === undefined ? 'sandbox' : readNamedFile('ADVERTISERS_FILE', ADVERTISERS_FILE, parseAdvertisers),
  };
}
