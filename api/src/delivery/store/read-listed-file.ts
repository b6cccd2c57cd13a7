import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release } from '@app/contracts/release';

/**
 * Reads a text of a release.
 * @param folder the folder of this release
 * @returns undefined when the file is not there, or not what was published
 */
export async function readListedFile(folder: string, { files }: Release, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(folder, name)).catch(() => undefined);
  const isListed = bytes && createHash('sha384').update(bytes).digest('base64') === files[name]?.sha384;
  return isListed ? bytes.toString('utf8') : undefined;
}
