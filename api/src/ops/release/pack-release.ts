import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { releaseSchema } from '@app/contracts/release';
import * as v from 'valibot';
import { listEntries, packArchive } from '#api/delivery/store/release-archive.ts';
import { OpsError } from '#api/ops/command.ts';

const MANIFEST = 'release.json';

export interface PackedRelease {
  unit: string;
  version: string;
  pack: () => Readable;
  /** How much of it was read so far, in percent. */
  howFar: () => string;
}

/** @throws OpsError when there is no release, or a file of it is missing */
export async function openRelease(folder: string): Promise<PackedRelease> {
  const release = await readManifest(folder);
  const entries = await listEntries(folder, release).catch((error: Error) => {
    throw new OpsError(error.message);
  });

  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  let read = 0;
  return {
    unit: release.unit,
    version: release.version,
    howFar: () => `${String(Math.round((100 * read) / size))} %`,
    pack() {
      read = 0;
      return packArchive(folder, entries, (bytes) => (read += bytes));
    },
  };
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
