import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVER_BUNDLE, type Release } from '@app/contracts/release';

/** Reads the server bundle of a release from its folder; undefined when it is not what was published. */
export async function readBundle(folder: string, { files }: Release): Promise<string | undefined> {
  const code = await readFile(join(folder, SERVER_BUNDLE)).catch(() => undefined);
  const isListed = code && createHash('sha384').update(code).digest('base64') === files[SERVER_BUNDLE]?.sha384;
  return isListed ? code.toString('utf8') : undefined;
}
