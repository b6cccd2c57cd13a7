import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/**
 * Opens a file for reading, as one of this site's own: nobody is sent what a link leads to, and nobody waits for somebody
 * who writes to a pipe.
 * @returns whoever asks closes it
 * @throws Error for a link, and for everything else that is no usual file
 */
export async function openUsualFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is no usual file`);
}
