import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { releaseSchema, type Release } from '@app/contracts/release';
import * as v from 'valibot';

/** A release that lies in a folder, or why there is none. */
export type Staged = { isOk: true; release: Release; bytes: number } | { isOk: false; problems: string[] };

/** Reads a release that comes in, and checks each of its files against the hash in its `release.json`. */
export async function readStaged(folder: string): Promise<Staged> {
  const release = await readManifest(folder);
  if (!release) return { isOk: false, problems: ['release.json is missing or is not a release'] };

  const problems: string[] = [];
  let bytes = 0;
  for (const [name, { sha384, bytes: size }] of Object.entries(release.files)) {
    bytes += size;
    const hash = createHash('sha384');
    try {
      await pipeline(createReadStream(join(folder, name)), hash);
      if (hash.digest('base64') !== sha384) problems.push(`${name} is not the file that release.json lists`);
    } catch {
      problems.push(`${name} is missing`);
    }
  }
  return problems.length > 0 ? { isOk: false, problems } : { isOk: true, release, bytes };
}

async function readManifest(folder: string): Promise<Release | undefined> {
  try {
    return v.parse(releaseSchema, JSON.parse(await readFile(join(folder, 'release.json'), 'utf8')));
  } catch {
    return undefined;
  }
}
