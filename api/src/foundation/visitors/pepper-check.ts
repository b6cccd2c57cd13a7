import type { Db } from '#api/foundation/db/schema.ts';
import { EnvError } from '#api/foundation/settings/env.ts';
import { deriveSecret } from '#api/foundation/crypto/secrets.ts';
import { createPepperCheckRepository } from './pepper-check.repository.ts';

/**
 * Binds a new database to this pepper, and checks a database that is bound. With another pepper no device would be
 * recognised.
 * @throws EnvError when the database is bound to another pepper
 */
export async function bindPepper(db: Db, pepper: string): Promise<void> {
  await createPepperCheckRepository(db).keep(pepperChecksum(pepper));
  await requirePepper(db, pepper);
}

/** @throws EnvError when the database is bound to another pepper; changes nothing */
export async function requirePepper(db: Db, pepper: string): Promise<void> {
  const kept = await createPepperCheckRepository(db).find();
  if (kept !== undefined && kept !== pepperChecksum(pepper)) {
    throw new EnvError(
      'HWID_PEPPER: is not the one that this database was made with, so no device would be recognised. Start with that one, or with another database',
    );
  }
}

/** The value to compare by. It reveals nothing of the pepper (HKDF), and no other secret is derived with this label. */
function pepperChecksum(pepper: string): string {
  return deriveSecret(pepper, 'pepper-check').export().toString('base64url');
}
