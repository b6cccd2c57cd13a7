import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnvError } from '../env.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** A folder that others put their files into as well, such as /tmp: not ours to close. */
const STICKY = 0o1000;

/**
 * Makes the data folder where there is none, and keeps it to ourselves.
 * @throws EnvError when there can be no such folder, or nothing can be written there
 */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    const folder = statSync(dataDir);
    if (!folder.isDirectory()) throw new Error('it is a file');
    const { uid, mode } = folder;
    if (uid === process.getuid?.() && (mode & STICKY) === 0) chmodSync(dataDir, PRIVATE_FOLDER);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvError(
      `DATA_DIR: ${dataDir} cannot be used as a folder for data (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
}

/** One after the other: Node's own recursion never ends where the system knows of no such place, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;

  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another server that starts at the same moment may have made it.
    if (!existsSync(path)) throw error;
  }
}

/** How much we can still write to the disk of the data folder. A folder that nobody needed to make is never full. */
export async function findFreeBytes(dataDir: string): Promise<number> {
  if (!existsSync(dataDir)) return Infinity;

  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/**
 * Makes a database's file, and those beside it, readable to us alone. SQLite gives the log the mode of the database.
 * A file that is there is never opened here: closing it would give up the locks that SQLite has on it.
 */
export function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE_FILE));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path) && statSync(path).uid === process.getuid?.()) chmodSync(path, PRIVATE_FILE);
  }
}
