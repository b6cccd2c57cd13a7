import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type { Release } from '@app/contracts/release';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';
import { TWINS } from './twins.ts';

const MANIFEST = 'release.json';

/** A file of a release, as its archive has it. */
export interface ArchiveEntry {
  name: string;
  size: number;
}

/**
 * Lists what the archive of a release has: its list, its files, and those of their compressed twins that are there.
 * @throws Error with the name of a file that is missing
 */
export async function listEntries(folder: string, { files }: Pick<Release, 'files'>): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for (const name of [MANIFEST, ...Object.keys(files)]) {
    const size = await sizeOf(join(folder, name));
    if (size === undefined) throw new Error(`${name}, which release.json lists, is not in ${folder}.`);
    entries.push({ name, size });
    for (const twin of name === MANIFEST ? [] : Object.keys(TWINS)) {
      const twinSize = await sizeOf(join(folder, name + twin));
      if (twinSize !== undefined) entries.push({ name: name + twin, size: twinSize });
    }
  }
  return entries;
}

/**
 * Makes the tar.gz of a release while it is read. A file that cannot be read ends the stream with an error.
 * @param onRead is told how many bytes of the files were read
 */
export function packArchive(
  folder: string,
  entries: readonly ArchiveEntry[],
  onRead: (bytes: number) => void = () => undefined,
): Readable {
  const packed = createGzip();
  // Its reader gets the error.
  pipeline(Readable.from(writeTar(folder, entries, onRead)), packed, () => undefined);
  return packed;
}

/** The whole archive of a release. */
export async function packRelease(folder: string, release: Pick<Release, 'files'>): Promise<Buffer> {
  return buffer(packArchive(folder, await listEntries(folder, release)));
}

async function* writeTar(
  folder: string,
  entries: readonly ArchiveEntry[],
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (const { name, size } of entries) {
    yield tarHeader(name, size);
    yield* createReadStream(join(folder, name)) as AsyncIterable<Buffer>;
    yield tarPadding(size);
    onRead(size);
  }
  yield TAR_END;
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.size;
}
