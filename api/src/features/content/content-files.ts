import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^[a-z0-9-]{1,40}\.txt$/;
const MOST_BYTES = 4096;

export type ContentFiles = ReturnType<typeof createContentFiles>;

/** The small texts that an operator changes without a deploy, read from the disk each time. */
export function createContentFiles(folder: string) {
  return {
    /** The bytes of a text, or undefined where there is none, its name is not one, or it is too large to be one. */
    async find(name: string): Promise<Buffer | undefined> {
      if (!NAME.test(name)) return undefined;

      const path = join(folder, name);
      const found = await stat(path).catch(undefinedIfMissing);
      if (!found?.isFile() || found.size > MOST_BYTES) return undefined;

      return readFile(path).catch(undefinedIfMissing);
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
