import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readAll, type Env } from '#api/foundation/settings/env.ts';
import { readPublicKey } from '#api/foundation/crypto/public-jwk.ts';
import { generateSigningKey, type NamedKey, readSigningKey, type Signer } from '#api/foundation/crypto/signing-key.ts';
import { createSocketSigner } from '#api/foundation/crypto/socket-signer.ts';
import { readNamedFile } from '#api/foundation/settings/read-json.ts';
import { readOrGenerateSecret, readIfThere } from '#api/foundation/crypto/generated-secret-file.ts';

/** Files in the data folder that a development machine generates. */
export const PEPPER_FILE = 'secrets/hwid-pepper';
export const GENERATED_SIGNING_KEY = 'secrets/signing-key.json';
export const GENERATED_NEXT_SIGNING_KEY = 'secrets/next-signing-key.json';

export interface Secrets {
  pepper: string;
  /** Signs with the key in a file of this process, or asks the signer at SIGNER_SOCKET. */
  signingKey: Signer;
  nextSigningKey: NamedKey | undefined;
}

/**
 * Loads all secrets. In production the settings name all of them. A development machine generates its own on the first
 * start.
 * @throws EnvError that names every setting whose file is unusable
 */
export function loadSecrets(env: Env): Secrets {
  const { DATA_DIR, HWID_PEPPER } = env;

  return readAll<Secrets>({
    pepper: () =>
      HWID_PEPPER ?? readOrGenerateSecret(join(DATA_DIR, PEPPER_FILE), () => randomBytes(32).toString('hex')),
    signingKey: () => loadSigningKey(env),
    nextSigningKey: () => loadNextSigningKey(env),
  });
}

const WORLD_READABLE = 0o004;
/** Docker's secrets are readable by all, in a container that has one user. */
const CONTAINER_SECRETS_FOLDER = '/run/secrets/';

/** The settings whose files have secrets in them that every user of the machine can read. */
export function listExposedFiles(env: Env): { setting: string; path: string }[] {
  const keys = env.SIGNER_SOCKET === undefined ? (['SIGNING_KEY_FILE', 'NEXT_SIGNING_KEY_FILE'] as const) : [];
  return [...keys, 'ADVERTISERS_FILE' as const].flatMap((setting) => {
    const path = env[setting];
    if (path === undefined || path.startsWith(CONTAINER_SECRETS_FOLDER)) return [];
    return (statSync(path).mode & WORLD_READABLE) === 0 ? [] : [{ setting, path }];
  });
}

function loadSigningKey({ DATA_DIR, SIGNING_KEY_FILE, SIGNER_SOCKET, SIGNER_SECRET = '' }: Env): Signer {
  if (SIGNING_KEY_FILE !== undefined && SIGNER_SOCKET !== undefined) {
    const key = readNamedFile('SIGNING_KEY_FILE', SIGNING_KEY_FILE, readPublicKey);
    return createSocketSigner(key, SIGNER_SOCKET, SIGNER_SECRET);
  }
  if (SIGNING_KEY_FILE !== undefined) return readNamedFile('SIGNING_KEY_FILE', SIGNING_KEY_FILE, readSigningKey);

  return readSigningKey(readOrGenerateSecret(join(DATA_DIR, GENERATED_SIGNING_KEY), generateSigningKey));
}

/** A development machine has a next key only while it rotates its signing key. */
function loadNextSigningKey({
  DATA_DIR,
  SIGNING_KEY_FILE,
  NEXT_SIGNING_KEY_FILE,
  SIGNER_SOCKET,
}: Env): NamedKey | undefined {
  if (NEXT_SIGNING_KEY_FILE !== undefined) {
    const read = SIGNER_SOCKET === undefined ? readSigningKey : readPublicKey;
    return readNamedFile('NEXT_SIGNING_KEY_FILE', NEXT_SIGNING_KEY_FILE, read);
  }
  if (SIGNING_KEY_FILE !== undefined) return undefined;

  const generated = readIfThere(join(DATA_DIR, GENERATED_NEXT_SIGNING_KEY));
  return generated === undefined ? undefined : readSigningKey(generated);
}
