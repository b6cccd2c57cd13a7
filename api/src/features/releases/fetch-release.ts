import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { releaseSchema, type Release } from '@app/contracts/release';
import { request } from 'undici';
import type { ReleaseRow } from '#api/db/schema.ts';
import { parseJson } from '#api/parse-json.ts';
import { findManifestProblems } from './find-manifest-problems.ts';
import type { PeerSignature } from './peer-signature.ts';
import { isListedFile, readStaged } from './read-staged.ts';
import type { ReleaseStore } from './release-store.ts';
import { TWINS } from './twins.ts';

/** How long one file may take, in milliseconds. */
const FILE_MS = 15_000;

/** A compressed twin of a tiny file is a little larger than the file. */
const TWIN_EXTRA_BYTES = 1024;

interface Fetching {
  store: ReleaseStore;
  signature: Pick<PeerSignature, 'sign'>;
  /** The origin of a server that may have the release. */
  peerUrl: string;
  /** A folder from `store.stage()`. What an earlier try has brought into it is not fetched again. */
  staged: string;
}

/**
 * Fetches a published release from another server, and keeps it. Only what the registry says of it counts: the list of
 * its files comes from the database, and each file has to have the hash that is listed.
 * @param row the release as the registry knows it
 * @throws Error when the other server does not have it as it was published. The files that came stay in `staged`; they go
 * when all of them came and do not make the release
 */
export async function fetchRelease({ store, signature, peerUrl, staged }: Fetching, row: ReleaseRow): Promise<void> {
  const { unit, version, manifest, digest } = row;
  const release = parseJson(releaseSchema, manifest);
  // What the database says is checked like what a team sends: its names become paths.
  const problems = findManifestProblems(release);
  if (createHash('sha256').update(manifest).digest('hex') !== digest)
    problems.push('The list is not the published one');
  if (problems.length > 0) throw new Error(`${unit}@${version}: ${problems.join('; ')}`);

  const ask = async (name: string): Promise<Readable | undefined> => {
    const url = new URL(`/api/peer/releases/${unit}/${version}/${name}`, peerUrl);
    const { statusCode, body } = await request(url, {
      headers: { authorization: signature.sign(url.pathname) },
      signal: AbortSignal.timeout(FILE_MS),
    });
    if (statusCode === 200) return body;
    await body.dump();
    if (statusCode === 404) return undefined;
    throw new Error(`${peerUrl} answers ${String(statusCode)}`);
  };
  for (const [name, listed] of Object.entries(release.files)) await bring(ask, staged, name, listed);

  await writeFile(join(staged, 'release.json'), manifest);
  const read = await readStaged(staged);
  if (!read.isOk) {
    // Something in it is in the way, and each file alone was right. The next try begins anew.
    await store.discard(staged);
    throw new Error(`${peerUrl} has not sent what was published: ${read.problems.join('; ')}`);
  }
  await store.settle(staged);
  await store.keep(staged, unit, version);
}

/** Brings a file and its compressed twins into a folder, each only if it is what is listed. */
async function bring(
  ask: (name: string) => Promise<Readable | undefined>,
  folder: string,
  name: string,
  listed: Release['files'][string],
): Promise<void> {
  const path = join(folder, name);
  // It comes last, so that with it everything is there.
  if (await isListedFile(path, listed)) return;

  await mkdir(dirname(path), { recursive: true });
  for (const ending of [...Object.keys(TWINS), '']) {
    const form = path + ending;
    const body = await ask(name + ending);
    const isTwin = ending !== '';
    if (body) await save(body, listed.bytes + (isTwin ? TWIN_EXTRA_BYTES : 0), form);
    if (!body && isTwin) continue;
    if (await isListedFile(form, listed, TWINS[ending]?.())) continue;

    await rm(form, { force: true });
    throw new Error(`${name}${ending} is ${body ? 'not what was published' : 'not there'}`);
  }
}

/** Saves what comes, so many bytes at most. Of what breaks off nothing stays: no later try would replace half a twin. */
async function save(body: Readable, bytes: number, path: string): Promise<void> {
  // Never through a link, and never into what was there: each file is a new one.
  await rm(path, { force: true });
  const file = createWriteStream(path, { flags: 'wx' });
  try {
    await pipeline(body, most(bytes), file);
  } catch (error) {
    // A file that is still being opened would come into being after it was removed.
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', () => resolve()));
    await rm(path, { force: true });
    throw error;
  }
}

/** Passes on so many bytes, and fails when more come. */
function most(bytes: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = bytes;
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0) throw new Error('More came than was published');
      yield chunk;
    }
  };
}
