import { once } from 'node:events';
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { EnvError } from '#api/foundation/settings/env.ts';
import { prepareDataDir } from '#api/foundation/db/data-dir.ts';
import { createDraft, createNewFile, syncPath } from '#api/foundation/db/backup-file.ts';
import { findSqliteFile, locateSqliteFile } from '#api/foundation/db/open-db.ts';
import { takeServerLock } from './server-lock.ts';
import { messageOf } from '#api/foundation/settings/errors.ts';

/** How long another program may keep a file for itself, in milliseconds. Without it SQLite refuses at once. */
const BUSY_TIMEOUT_MS = 5000;

/** What a former database is called that a restore keeps; the time follows. */
const FORMER_SUFFIX = '.before-restore-';

export function backUpSqlite(from: string, to: string): Promise<void> {
  return createNewFile(to, (draft) => copyInto(draft, from));
}

/**
 * Puts a backup in the place of a stopped server's database. It also removes the log and the index of the former
 * database, because SQLite would read them as the new one's. When it is killed, the next restore goes on from there.
 * @returns where the former database is kept
 * @throws EnvError when a server runs there, or the backup is not sound; then nothing was changed
 */
export async function restoreSqlite(dataDir: string, from: string): Promise<{ former: string | undefined }> {
  prepareDataDir(dataDir);
  const file = locateSqliteFile(dataDir);
  // Only the owner of the lock uses this name, so what is there was left by a restore that was killed.
  const draft = `${file}.restoring`;
  if (isSameFile(from, draft))
    throw new EnvError(`${from} has the name of what a restore removes; rename it first; nothing was changed`);
  const unlock = takeServerLock(dataDir);
  try {
    const interrupted = findInterrupted(file);
    if (interrupted === undefined) findSqliteFile(dataDir);
    rmSync(draft, { force: true });
    createDraft(draft);
    await copyInto(draft, from);
    syncPath(draft);
    const former = existsSync(file) ? moveAside(file, interrupted) : undefined;
    rmSync(`${file}-shm`, { force: true });
    rmSync(`${file}-wal`, { force: true });
    renameSync(draft, file);
    syncPath(dirname(file));
    return { former };
  } finally {
    rmSync(draft, { force: true });
    unlock();
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

async function copyInto(draft: string, from: string): Promise<void> {
  try {
    const copying = new Worker(/* webpackChunkName: "copy" */ new URL('./copy-worker.ts', import.meta.url), {
      workerData: { from, to: draft },
    });
    await once(copying, 'exit');
  } catch (error) {
    throw new EnvError(`${from} could not be copied as a sound database of this site (${messageOf(error)})`, {
      cause: error,
    });
  }
}

/**
 * Keeps the former database under a name of its own, so that no later restore overwrites it. If it is sound, its log is
 * checkpointed into it first.
 * @param to where a restore that was killed has begun to keep it
 */
function moveAside(
  file: string,
  to = `${file}${FORMER_SUFFIX}${new Date().toISOString().replaceAll(':', '-')}`,
): string {
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
  } catch {
    // A damaged database is kept as it is.
  }
  for (const end of ['', '-wal']) {
    if (existsSync(file + end) && !existsSync(to + end)) linkSync(file + end, to + end);
  }
  return to;
}

/**
 * Finds the name under which a restore that was killed has kept the database that is still in its place: the file then
 * has two names, and no server starts with it.
 */
function findInterrupted(file: string): string | undefined {
  const present = statSync(file, { throwIfNoEntry: false });
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file) + FORMER_SUFFIX))
    .map((name) => join(dirname(file), name))
    .find((path) => present !== undefined && statSync(path).ino === present.ino);
}
