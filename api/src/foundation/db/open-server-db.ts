import { sql } from 'kysely';
import { prepareDataDir } from './data-dir.ts';
import { type DbSettings, describeStartError, openDb } from './open-db.ts';
import { migrate } from './migrate.ts';
import { takeServerLock } from './sqlite/server-lock.ts';
import type { PoolLoad } from '#api/foundation/telemetry/pool-metrics.ts';
import type { Db } from './schema.ts';
import type { SqliteOptions } from './sqlite/sqlite.ts';

type ServerDbSettings = Omit<DbSettings, 'hasTimeouts' | 'watchPool'>;

interface ServerDb {
  db: Db;
  /** How much the pool of connections has to do; undefined on SQLite, which has none. */
  readPool: (() => PoolLoad) | undefined;
  close: () => Promise<void>;
}

/**
 * Opens the database for a server and migrates it. The data folder is for one server alone: its name is kept there, and
 * SQLite's file. The log of SQLite is checkpointed: a killed process may have left rows that are not on the disk.
 * @throws EnvError with one sentence when the database cannot be used
 */
export async function openServerDb(settings: ServerDbSettings): Promise<ServerDb> {
  prepareDataDir(settings.dataDir);
  const unlock = takeServerLock(settings.dataDir);
  try {
    await migrateFirst(settings);
    let readPool: ServerDb['readPool'];
    const db = openDb({ ...settings, watchPool: (read) => (readPool = read) });
    if (settings.databaseUrl === undefined) await checkpointLog(db, settings.warn);
    return {
      db,
      readPool,
      async close() {
        await db.destroy();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw describeStartError(error, settings.databaseUrl, settings.dataDir);
  }
}

/**
 * Empties the log of SQLite. A program that still reads older rows prevents that. Nothing is lost then: like every
 * statement, this one returns only when the log is on the disk.
 */
async function checkpointLog(db: Db, warn: SqliteOptions['warn']): Promise<void> {
  const { rows } = await sql<{ busy: number; log: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  const [{ busy, log } = { busy: 0, log: 0 }] = rows;
  if (busy !== 0)
    warn?.(
      new Error(
        `Another program works with the database, so what the last run left (${String(log)} pages) stays in the log for now; it is on the disk.`,
      ),
    );
}

/** On connections of its own: a migration may take long, and may wait for another server that migrates. */
async function migrateFirst({ databaseUrl, dataDir }: ServerDbSettings): Promise<void> {
  const db = openDb({ databaseUrl, dataDir, hasTimeouts: false });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}
