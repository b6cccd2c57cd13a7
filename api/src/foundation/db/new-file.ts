import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvError } from '#api/foundation/settings/env.ts';

const PRIVATE_FILE = 0o600;

/**
 * Makes a file that only our user can read. It appears complete and on the disk, or not at all, and takes no other
 * file's place.
 * @param write writes the contents into the file of the given path, which is there and empty
 * @throws EnvError when the folder takes no file, or there is a file of this name already; and what `write` throws
 */
export async function makeNewFile(path: string, write: (draft: string) => void | Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  makeDraft(draft);
  try {
    await write(draft);
    syncPath(draft);
    publish(draft, path);
    syncPath(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Makes an empty file that only our user can read.
 * @throws EnvError when the folder takes no such file
 */
export function makeDraft(draft: string): void {
  try {
    closeSync(openSync(draft, 'wx', PRIVATE_FILE));
  } catch (error) {
    throw takesNoFile(draft, error);
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the draft its name. A rename would replace a file that another program has made meanwhile. */
function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new EnvError(`${path} is there already; nothing was written`, { cause: error });
    throw takesNoFile(path, error);
  }
}

function takesNoFile(path: string, error: unknown): EnvError {
  return new EnvError(
    `${dirname(path)} takes no file (${error instanceof Error ? error.message : String(error)}); nothing was written`,
    { cause: error },
  );
}
