import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^[a-z0-9-]{1,40}\.txt$/;
const MOST_BYTES = 4096;

export type ContentFiles = ReturnType<typeof createContentFiles>;

/** Reads the small texts that an operator changes without a deploy. Each call reads from the disk. */
export function createContentFiles(folder: string) {
  return {
    /** Reads a text; undefined when there is none, its name is not allowed, or it is larger than 4096 bytes. */
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
