import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
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
    mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    const { uid, mode } = statSync(dataDir);
    if (uid === process.getuid?.() && (mode & STICKY) === 0) chmodSync(dataDir, PRIVATE_FOLDER);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new EnvError(`DATA_DIR: ${dataDir} cannot be used as a folder for data (${error instanceof Error ? error.message : String(error)})`, { cause: error });
  }
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
