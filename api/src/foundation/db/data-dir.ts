import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EnvError } from '#api/foundation/settings/env.ts';
import { messageOf } from '#api/foundation/settings/errors.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** The sticky bit: a folder that other users write to as well, such as /tmp. Its mode is not ours to change. */
const STICKY_BIT = 0o1000;

/** Creates the data folder if it is missing, and closes it to other users. */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    const folder = statSync(dataDir);
    if (!folder.isDirectory()) throw new Error('it is a file');
    const { uid, mode } = folder;
    if (uid === process.getuid?.() && (mode & STICKY_BIT) === 0) chmodSync(dataDir, PRIVATE_FOLDER);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvError(`DATA_DIR: ${dataDir} cannot be used as a folder for data (${messageOf(error)})`, {
      cause: error,
    });
  }
}

/** One by one: with `recursive`, Node hangs where the system allows no folder, such as below /proc. */
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

/** How many bytes we can still write to the disk of the data folder; Infinity when there is no such folder. */
export async function findFreeBytes(dataDir: string): Promise<number> {
  if (!existsSync(dataDir)) return Infinity;

  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/**
 * Makes a database file and its log and index readable to our user alone, and creates the file if it is missing. SQLite
 * gives a new log the mode of the database. An existing file is never opened here: closing it would give up SQLite's
 * locks on it.
 */
export function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE_FILE));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path) && statSync(path).uid === process.getuid?.()) chmodSync(path, PRIVATE_FILE);
  }
}
