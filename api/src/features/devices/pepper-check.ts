import { EnvError } from '#api/env.ts';
import { deriveSecret } from '#api/crypto/derive-secret.ts';
import type { PepperCheckRepository } from './pepper-check.repository.ts';

/**
 * Binds a database that is new to this pepper. Under another one no device would be recognised, and none could be again.
 * @throws EnvError when the database is bound to another pepper
 */
export async function bindPepper(checks: PepperCheckRepository, pepper: string): Promise<void> {
  await checks.keep(checkValue(pepper));
  await requirePepper(checks, pepper);
}

/**
 * Sees that a database is not bound to another pepper, and changes nothing.
 * @throws EnvError when it is
 */
export async function requirePepper(checks: PepperCheckRepository, pepper: string): Promise<void> {
  const kept = await checks.find();
  if (kept !== undefined && kept !== checkValue(pepper)) {
    throw new EnvError(
      'HWID_PEPPER: is not the one that this database was made with, so no device would be recognised. Start with that one, or with another database',
    );
  }
}

/** Says nothing of the pepper (HKDF), and is nobody's secret: nothing else is derived under this name. */
function checkValue(pepper: string): string {
  return deriveSecret(pepper, 'pepper-check').toString('base64url');
}
