import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EnvError } from '#api/foundation/settings/env.ts';
import { codeOf, messageOf } from '#api/foundation/settings/errors.ts';

const PRIVATE_FILE = 0o600;

/**
 * Makes a file that only our user can read: complete and on the disk, or not at all.
 * @param write fills the empty file of the given path
 * @throws EnvError when the folder takes no file, or has one of this name; and what `write` throws
 */
export async function createNewFile(path: string, write: (draft: string) => void | Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  createDraft(draft);
  try {
    await write(draft);
    syncPath(draft);
    publishDraft(draft, path);
    syncPath(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

export function createDraft(draft: string): void {
  try {
    closeSync(openSync(draft, 'wx', PRIVATE_FILE));
  } catch (error) {
    throw cannotCreate(draft, error);
  }
}

/** Waits until a file, or a folder's list of names, is on the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the draft its name. A rename would replace a file that another program has made meanwhile. */
function publishDraft(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new EnvError(`${path} is there already; nothing was written`, { cause: error });
    throw cannotCreate(path, error);
  }
}

function cannotCreate(path: string, error: unknown): EnvError {
  return new EnvError(`${dirname(path)} takes no file (${messageOf(error)}); nothing was written`, { cause: error });
}

/** A line of `sha256sum`, which marks names with odd characters by a backslash. */
const CHECKSUM_LINE_PATTERN = /^\\?([0-9a-f]{64}) [ *]/;

const checksumFile = (file: string) => `${file}.sha256`;

export function removeChecksum(file: string): void {
  try {
    rmSync(checksumFile(file), { force: true });
  } catch (error) {
    throw new EnvError(`${checksumFile(file)} cannot be removed (${String(error)})`, { cause: error });
  }
}

/** Writes the SHA-256 of a file beside it, in the place of a former one, as `sha256sum --check` reads it. */
export async function writeChecksum(file: string): Promise<string> {
  const checksum = await hashFile(file);
  const draft = `${checksumFile(file)}.${randomUUID()}`;
  try {
    createDraft(draft);
    writeFileSync(draft, `${checksum}  ${basename(file)}\n`);
    syncPath(draft);
    renameSync(draft, checksumFile(file));
    syncPath(dirname(file));
  } catch (error) {
    throw new EnvError(`${file} is whole, but its checksum cannot be written beside it (${String(error)})`, {
      cause: error,
    });
  } finally {
    rmSync(draft, { force: true });
  }
  return checksum;
}

/**
 * Compares a file with the checksum beside it, if there is one.
 * @returns whether there is
 * @throws EnvError when it is another one
 */
export async function compareChecksum(file: string): Promise<boolean> {
  const line = readLine(checksumFile(file));
  if (line === undefined) return false;

  const expected = CHECKSUM_LINE_PATTERN.exec(line)?.[1];
  if (expected === undefined) throw new EnvError(`${checksumFile(file)} holds no SHA-256; nothing was changed`);
  if ((await hashFile(file)) === expected) return true;

  throw new EnvError(
    `${file} is not what was backed up: its SHA-256 is not that of ${checksumFile(file)}; take another copy; nothing was changed`,
  );
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new EnvError(`${path} cannot be read (${String(error)}); nothing was changed`, { cause: error });
  }
}

async function hashFile(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}
