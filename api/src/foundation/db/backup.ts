import { existsSync, statSync } from 'node:fs';
import type { Env } from '#api/foundation/settings/env.ts';
import { compareChecksum, removeChecksum, writeChecksum } from './backup-file.ts';
import { findSqliteFile } from './open-db.ts';
import { backUpPostgres, restorePostgres } from './postgres-backup.ts';
import { backUpSqlite, restoreSqlite } from './sqlite/sqlite-backup.ts';

export type DataLocation = Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>;

/**
 * Copies the database of one moment into a new file, while others write to it; then its checksum beside it.
 * @throws EnvError when the copy is not a sound database of this site, or cannot be written
 */
export async function backUp(
  { DATA_DIR, DATABASE_URL }: DataLocation,
  to: string,
): Promise<{ bytes: number; sha256: string }> {
  // What is killed before the new checksum is there leaves none, and not that of a former backup.
  if (!existsSync(to)) removeChecksum(to);
  await (DATABASE_URL === undefined ? backUpSqlite(findSqliteFile(DATA_DIR), to) : backUpPostgres(DATABASE_URL, to));
  return { bytes: statSync(to).size, sha256: await writeChecksum(to) };
}

/**
 * Restores a backup, completely or not at all: SQLite while the server is stopped, PostgreSQL into an empty database.
 * @returns where a former SQLite database is kept, and whether the backup was compared with a checksum
 * @throws EnvError when the place cannot take it, or it is no backup of this site; then nothing was changed
 */
export async function restore(
  { DATA_DIR, DATABASE_URL }: DataLocation,
  from: string,
): Promise<{ former: string | undefined; isCompared: boolean }> {
  const isCompared = await compareChecksum(from);
  if (DATABASE_URL === undefined) return { ...(await restoreSqlite(DATA_DIR, from)), isCompared };

  await restorePostgres(DATABASE_URL, from);
  return { former: undefined, isCompared };
}
