import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Release } from '@app/contracts/release';
import { createFileNames, quoteName, PRECOMPRESSED_VARIANTS } from './release-files.ts';
import { BadArchive, readTar, TAR_END, tarHeader, tarPadding } from './tar.ts';

const MB = 1024 * 1024;

/** How large one publication may be. All releases of this site together have 1 MB in 200 files. */
export const LIMITS = {
  entries: 2000,
  fileBytes: 8 * MB,
  bytes: 64 * MB,
  /** How long the body may take to arrive. The server itself ends every request after 30 s, without an explanation. */
  timeoutMs: 25_000,
};
export type ReceiveLimits = typeof LIMITS;

/**
 * Unpacks a release that comes in as a tar.gz. It holds in memory only the chunk that has just arrived.
 * @param body is read, but never destroyed: its connection is needed for the answer. When this function throws, the
 *   caller discards the rest of it.
 * @param folder an empty folder
 * @throws BadArchive when the archive is damaged, too large, too slow, or contains anything but files with plain names
 */
export async function receiveRelease(body: Readable, folder: string, limits: ReceiveLimits = LIMITS): Promise<void> {
  // It emits no further event, so the upload would occupy its place until the timeout.
  if (body.destroyed) throw new BadArchive('The archive is cut');

  const received = new ByteLimit(limits.bytes, 'The archive');
  const slow = setTimeout(() => received.destroy(new BadArchive('The archive came too slowly')), limits.timeoutMs);
  const stopWaiting = () => {
    clearTimeout(slow);
    if (!body.readableEnded) received.destroy(new BadArchive('The archive is cut'));
  };
  body.once('end', stopWaiting).once('close', stopWaiting);
  const gunzip = createGunzip();
  // A tar has a header for each file, fills blocks, and ends with up to 10 kB of zeros.
  const expanded = new ByteLimit(limits.bytes + (limits.entries + 10) * 1024, 'What the archive expands to');

  body.pipe(received);
  // Both have to end first: on a failure the caller removes the folder.
  const [unpacked, streamed] = await Promise.allSettled([
    unpack(expanded, folder, limits).finally(() => expanded.destroy()),
    pipeline(received, gunzip, expanded),
  ]);
  clearTimeout(slow);
  body.off('end', stopWaiting).off('close', stopWaiting).unpipe(received);

  if (unpacked.status === 'rejected') throw explain(unpacked.reason);
  if (streamed.status === 'rejected') throw explain(streamed.reason);
  if (gunzip.bytesWritten !== received.bytes) throw new BadArchive('The archive goes on behind its end');
}

async function unpack(chunks: AsyncIterable<Buffer>, folder: string, limits: ReceiveLimits): Promise<void> {
  const names = createFileNames();
  let [entries, bytes] = [0, 0];

  for await (const { name, size, content } of readTar(chunks)) {
    const problem = names.add(name);
    if (problem) throw new BadArchive(`${quoteName(name)} ${problem}`);
    if (++entries > limits.entries) throw new BadArchive(`The archive has more than ${limits.entries} files`);
    if (size > limits.fileBytes) throw new BadArchive(`${name} is larger than ${inMegabytes(limits.fileBytes)}`);
    bytes += size;
    if (bytes > limits.bytes) throw new BadArchive(`The files are larger than ${inMegabytes(limits.bytes)} together`);

    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'wx');
    try {
      for await (const chunk of content) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
  }
}

/** Passes bytes on until there are too many. */
class ByteLimit extends Transform {
  bytes = 0;
  readonly #most: number;
  readonly #what: string;

  constructor(most: number, what: string) {
    super();
    this.#most = most;
    this.#what = what;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#most) done(new BadArchive(`${this.#what} is larger than ${inMegabytes(this.#most)}`));
    else done(null, chunk);
  }
}

/** Turns errors of zlib into a refusal. Other failures, such as a full disk, are not the sender's. */
function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new BadArchive('The archive is cut');
  return code.startsWith('Z_') ? new BadArchive('The archive is no gzip, or is damaged') : error;
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MB)} MB`;
}

const MANIFEST = 'release.json';

/** A file in the archive of a release. */
export interface ArchiveEntry {
  name: string;
  size: number;
}

/**
 * Lists the entries of a release's archive: `release.json`, its files, and the precompressed variants that exist.
 * @throws Error with the name of a file that is missing
 */
export async function listEntries(folder: string, { files }: Pick<Release, 'files'>): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for (const name of [MANIFEST, ...Object.keys(files)]) {
    const size = await sizeOf(join(folder, name));
    if (size === undefined) throw new Error(`${name}, which release.json lists, is not in ${folder}.`);
    entries.push({ name, size });
    for (const ending of name === MANIFEST ? [] : Object.keys(PRECOMPRESSED_VARIANTS)) {
      const variantSize = await sizeOf(join(folder, name + ending));
      if (variantSize !== undefined) entries.push({ name: name + ending, size: variantSize });
    }
  }
  return entries;
}

/**
 * Makes the tar.gz of a release while it is read. A file that cannot be read ends the stream with an error.
 * @param onRead called with the number of bytes of each file that was read
 */
export function packArchive(
  folder: string,
  entries: readonly ArchiveEntry[],
  onRead: (bytes: number) => void = () => undefined,
): Readable {
  const packed = createGzip();
  // The reader of `packed` gets the error.
  pipeline(Readable.from(writeTar(folder, entries, onRead)), packed).catch(() => undefined);
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
