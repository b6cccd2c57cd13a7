import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './server.ts';

/** Makes what all servers on one database have to be given, with the signing key in a file of a folder. */
export function makeSharedSecrets(folder: string): Settings {
  const file = join(folder, 'signing-key.json');
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'shared' }), { mode: 0o600 });
  }
  return { HWID_PEPPER: randomBytes(32).toString('hex'), SIGNING_KEY_FILE: file };
}
