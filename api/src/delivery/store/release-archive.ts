import { createReadStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Release } from '@app/contracts/release';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';
import { createFileNames, quoteName, PRECOMPRESSED_VARIANTS } from './release-files.ts';

const MB = 1024 * 1024;

/** How large one publication may be. All releases of this site together have 1 MB in 200 files. */
export const LIMITS = {
  entries: 2000,
  /** A name of many parts makes a folder of each. */
  folders: 2000,
  fileBytes: 8 * MB,
  bytes: 64 * MB,
  /** How long the body may take to arrive. The server itself ends every request after 30 s, without an explanation. */
  timeoutMs: 25_000,
};
export type ReceiveLimits = typeof LIMITS;

/** Headers, folders and what waits to be read. So many headers take 0.3 s, at worst 1.5, in which nobody is answered. */
const MAX_HEADER_BYTES = 6 * MB;

/**
 * Unpacks a tar.gz while it arrives. The body is never destroyed: its connection is needed for the answer.
 * @throws BadArchive when it is damaged, too large, too slow, or contains anything but files with plain names
 */
export async function receiveRelease(body: Readable, folder: string, limits: ReceiveLimits = LIMITS): Promise<void> {
  // It emits no further event, so the upload would occupy its place until the timeout.
  if (body.destroyed) throw new BadArchive('The archive is cut');

  const received = new ByteLimit((bytes) =>
    bytes > limits.bytes ? `The archive is larger than ${inMegabytes(limits.bytes)}` : undefined,
  );
  const slow = setTimeout(() => received.destroy(new BadArchive('The archive came too slowly')), limits.timeoutMs);
  const stopWaiting = () => {
    clearTimeout(slow);
    if (!body.readableEnded) received.destroy(new BadArchive('The archive is cut'));
  };
  body.once('end', stopWaiting).once('close', stopWaiting);
  const gunzip = createGunzip();
  const seen = { bytes: 0 };
  const expanded = new ByteLimit((bytes) =>
    bytes > seen.bytes + MAX_HEADER_BYTES ? 'The archive has too much besides its files' : undefined,
  );
  const tar = createTarDecoder({ strict: true });

  body.pipe(received);
  // Both have to end first: on a failure the caller removes the folder.
  const [unpacked, streamed] = await Promise.allSettled([
    unpack(tar.readable, folder, limits, seen),
    pipeline(received, gunzip, expanded, Writable.fromWeb(tar.writable)),
  ]);
  clearTimeout(slow);
  body.off('end', stopWaiting).off('close', stopWaiting).unpipe(received);

  if (unpacked.status === 'rejected') throw toArchiveError(unpacked.reason);
  if (streamed.status === 'rejected') throw toArchiveError(streamed.reason);
  if (gunzip.bytesWritten !== received.bytes) throw new BadArchive('The archive goes on behind its end');
}

async function unpack(
  entries: AsyncIterable<ParsedTarEntry>,
  folder: string,
  limits: ReceiveLimits,
  seen: { bytes: number },
): Promise<void> {
  const names = createFileNames();
  const folders = new Set<string>();
  let files = 0;

  for await (const { header, body } of entries) {
    if (header.type === 'directory') continue;
    const name = header.name.replace(/^(\.\/)+/, '');
    // A link could lead out of the folder.
    const problem = header.type === 'file' ? names.add(name) : `is a ${String(header.type)}`;
    if (problem) throw new BadArchive(`${quoteName(name)} ${problem}`);
    if (++files > limits.entries) throw new BadArchive(`The archive has more than ${limits.entries} files`);
    for (let parent = dirname(name); parent !== '.'; parent = dirname(parent)) folders.add(parent);
    if (folders.size > limits.folders) throw new BadArchive(`The archive has more than ${limits.folders} folders`);
    if (header.size > limits.fileBytes) throw new BadArchive(`${name} is larger than ${inMegabytes(limits.fileBytes)}`);
    seen.bytes += header.size;
    if (seen.bytes > limits.bytes)
      throw new BadArchive(`The files are larger than ${inMegabytes(limits.bytes)} together`);

    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, body as AsyncIterable<Uint8Array>, { flag: 'wx' });
  }
}

class ByteLimit extends Transform {
  bytes = 0;
  readonly #findProblem: (bytes: number) => string | undefined;

  constructor(findProblem: (bytes: number) => string | undefined) {
    super();
    this.#findProblem = findProblem;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.bytes += chunk.length;
    const problem = this.#findProblem(this.bytes);
    if (problem === undefined) done(null, chunk);
    else done(new BadArchive(problem));
  }
}

/** Errors of zlib and of the reader of tars are the sender's. Others, such as a full disk, are not. */
function toArchiveError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BadArchive) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new BadArchive('The archive is cut');
  if (code.startsWith('Z_')) return new BadArchive('The archive is no gzip, or is damaged');
  return code === '' && error.constructor === Error
    ? new BadArchive(`The archive is no tar, or is damaged: ${error.message}`)
    : error;
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MB)} MB`;
}

const MANIFEST_NAME = 'release.json';

/** The same files make the same bytes. */
const EPOCH = new Date(0);

export interface ArchiveEntry {
  name: string;
  size: number;
}

/** @throws Error with the name of a file that is missing */
export async function listEntries(folder: string, { files }: Pick<Release, 'files'>): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for (const name of [MANIFEST_NAME, ...Object.keys(files)]) {
    const size = await sizeOf(join(folder, name));
    if (size === undefined) throw new Error(`${name}, which release.json lists, is not in ${folder}.`);
    entries.push({ name, size });
    for (const ending of name === MANIFEST_NAME ? [] : Object.keys(PRECOMPRESSED_VARIANTS)) {
      const variantSize = await sizeOf(join(folder, name + ending));
      if (variantSize !== undefined) entries.push({ name: name + ending, size: variantSize });
    }
  }
  return entries;
}

/** Packs while it is read. A file that cannot be read ends the stream with an error. */
export function packArchive(
  folder: string,
  entries: readonly ArchiveEntry[],
  onRead: (bytes: number) => void = () => undefined,
): Readable {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    for (const { name, size } of entries) {
      await pipeline(
        createReadStream(join(folder, name)),
        Writable.fromWeb(controller.add({ name, size, mtime: EPOCH })),
      );
      onRead(size);
    }
    controller.finalize();
  };
  write().catch((error: unknown) => controller.error(error));
  const packed = createGzip();
  // The reader of `packed` gets the error.
  pipeline(Readable.fromWeb(readable), packed).catch(() => undefined);
  return packed;
}

export async function packRelease(folder: string, release: Pick<Release, 'files'>): Promise<Buffer> {
  return buffer(packArchive(folder, await listEntries(folder, release)));
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.size;
}

/** The upload is no valid archive of a release. The message is a sentence for the sender. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}
