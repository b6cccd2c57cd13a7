import type { Db } from '#api/foundation/db/schema.ts';
import { EnvError, type Env } from '#api/foundation/settings/env.ts';
import { createServersRepository } from '#api/foundation/db/servers.repository.ts';

/** What all servers on one database have to be given. A server generates its own where they are missing. */
const SHARED_SETTINGS = ['HWID_PEPPER', 'SIGNING_KEY_FILE'] as const;

/** Refuses generated secrets where another server, which has others, works on this database; names each setting. */
export async function requireSharedSecrets(
  db: Db,
  env: Pick<Env, (typeof SHARED_SETTINGS)[number]>,
  name: string,
): Promise<void> {
  const missing = SHARED_SETTINGS.filter((setting) => env[setting] === undefined);
  if (missing.length === 0 || (await createServersRepository(db).sumOthers(name)).servers === 0) return;

  throw new EnvError(
    missing
      .map(
        (setting) =>
          `${setting}: must be set, because another server works on this database, and all of them need the same`,
      )
      .join('\n'),
  );
}
