import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { releaseSchema } from '@app/contracts/release';
import * as v from 'valibot';
import { TAR_END, tarHeader, tarPadding } from '#api/features/releases/tar.ts';
import { TWINS } from '#api/features/releases/twins.ts';
import { OpsError } from '../command.ts';

const MANIFEST = 'release.json';

/** A release that lies in a folder, ready to be sent. */
export interface PackedRelease {
  unit: string;
  version: string;
  /** Makes the tar.gz. It is packed while it is read. */
  pack: () => Readable;
  /** How much of it was read so far. */
  howFar: () => string;
}

/**
 * Reads which files of a folder belong to the release in it.
 * @throws OpsError when there is no release, or a file of it is missing
 */
export async function openRelease(folder: string): Promise<PackedRelease> {
  const { unit, version, files } = await readManifest(folder);
  const entries: { name: string; size: number }[] = [];
  for (const name of [MANIFEST, ...Object.keys(files)]) {
    const size = await sizeOf(join(folder, name));
    if (size === undefined) throw new OpsError(`${name}, which release.json lists, is not in ${folder}.`);
    entries.push({ name, size });
    for (const twin of name === MANIFEST ? [] : Object.keys(TWINS)) {
      const twinSize = await sizeOf(join(folder, name + twin));
      if (twinSize !== undefined) entries.push({ name: name + twin, size: twinSize });
    }
  }

  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  let read = 0;
  return {
    unit,
    version,
    howFar: () => `${String(Math.round((100 * read) / size))} %`,
    pack() {
      read = 0;
      const packed = createGzip();
      // A file that cannot be read ends the stream with an error, which its reader gets.
      const tar = writeTar(folder, entries, (bytes) => (read += bytes));
      pipeline(Readable.from(tar), packed, () => undefined);
      return packed;
    },
  };
}

async function* writeTar(
  folder: string,
  entries: readonly { name: string; size: number }[],
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

async function readManifest(folder: string) {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch {
    throw new OpsError(`There is no ${MANIFEST} in ${folder}. It is the last file that a build writes.`);
  }
  try {
    return v.parse(releaseSchema, JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OpsError(`${join(folder, MANIFEST)} is not the list of a release: ${why}`, { cause: error });
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.size;
}
