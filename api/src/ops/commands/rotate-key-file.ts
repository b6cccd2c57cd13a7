import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import type { SigningKeysService } from '#api/product/keys/signing-keys.service.ts';
import { readOrGenerateSecret } from '#api/foundation/crypto/generated-secret-file.ts';
import { GENERATED_NEXT_SIGNING_KEY, GENERATED_SIGNING_KEY } from '#api/foundation/secrets/load-secrets.ts';

interface RotateKeyFileOptions {
  dataDir: string;
  signingKeys: SigningKeysService;
  now: number;
}

/**
 * Rotates the generated signing key of a development machine, in two calls. The first call makes the next key and
 * publishes it. A call after `signsFrom` puts it in the place of the old one; the next start signs with it.
 * @returns `signsFrom`: when the key may sign, in epoch milliseconds
 */
export async function rotateKeyFile({
  dataDir,
  signingKeys,
  now,
}: RotateKeyFileOptions): Promise<{ kid: string; signsFrom: number; isInPlace: boolean }> {
  const path = join(dataDir, GENERATED_NEXT_SIGNING_KEY);
  const next = readSigningKey(readOrGenerateSecret(path, generateSigningKey));
  const { signsFrom } = await signingKeys.announce(next);

  const isInPlace = signsFrom <= now;
  if (isInPlace) renameSync(path, join(dataDir, GENERATED_SIGNING_KEY));
  return { kid: next.kid, signsFrom, isInPlace };
}
