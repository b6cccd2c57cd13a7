import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Release } from '@app/contracts/release';
import { createFileNames, quoteName, PRECOMPRESSED_VARIANTS } from './release-files.ts';

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

/**
 * The format is ustar: blocks of 512 bytes, of which the first is the header of a file and the others its content. Two
 * blocks of zeros end it. Source: POSIX.1-2017, pax, "ustar Interchange Format".
 */
const BLOCK = 512;
const MAGIC = 'ustar\x0000';
const CHECKSUM = { from: 148, to: 156 };

/** A plain file in a tar. */
export interface TarEntry {
  name: string;
  size: number;
  /** Has to be read to its end before the next entry is requested. */
  content: AsyncIterable<Buffer>;
}

const KINDS: Record<string, string> = {
  '1': 'is a hard link',
  '2': 'is a symbolic link',
  '3': 'is a device',
  '4': 'is a device',
  '5': 'is a folder',
  '6': 'is a pipe',
  g: 'is a pax header',
  x: 'is a pax header',
  K: 'is a header of GNU tar',
  L: 'is a header of GNU tar',
  S: 'is a sparse file of GNU tar',
};

/**
 * Reads a tar that consists of plain files only. It never holds more than one chunk and one block.
 * @throws BadArchive for links, folders and extended headers, and for a tar without its proper end
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const blocks = createReader(chunks);

  for (;;) {
    const header = await blocks.exactly(BLOCK);
    if (isEmpty(header)) break;

    const { name, size } = readHeader(header);
    yield { name, size, content: blocks.some(size) };
    if (!isEmpty(await blocks.exactly(padding(size))))
      throw new BadArchive(`${quoteName(name)} hides something behind its end`);
  }
  if (!isEmpty(await blocks.exactly(BLOCK))) throw new BadArchive('The archive has only half an end');
  for await (const rest of blocks.all()) if (!isEmpty(rest)) throw new BadArchive('The archive goes on behind its end');
}

/**
 * Makes the header of a file in a tar. Its content follows, then `tarPadding(size)`; after the last file `TAR_END`.
 * Files have no owner and no time, so that the same files make the same bytes.
 * @throws Error when the name is too long for a tar
 */
export function tarHeader(name: string, size: number): Buffer {
  const at = name.length <= 100 ? -1 : name.indexOf('/', name.length - 101);
  if (name.length > 100 && (at < 0 || at > 155)) throw new Error(`${name} is too long for a tar`);

  const header = Buffer.alloc(BLOCK);
  header.write(name.slice(at + 1), 0, 'latin1');
  header.write('0000644\x000000000\x000000000\0', 100, 'latin1');
  header.write(`${size.toString(8).padStart(11, '0')}\x0000000000000\0        0`, 124, 'latin1');
  header.write(MAGIC, 257, 'latin1');
  header.write(name.slice(0, Math.max(at, 0)), 345, 'latin1');
  header.write(`${sum(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.from, 'latin1');
  return header;
}

/** The zeros that follow the content of a file in a tar. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc(padding(size));
}

/** The end of a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

function readHeader(header: Buffer): { name: string; size: number } {
  if (readNumber(header, CHECKSUM.from, CHECKSUM.to) !== sum(header))
    throw new BadArchive('The archive is no tar, or is damaged');

  const [name, prefix] = [readText(header, 0, 100), readText(header, 345, 500)];
  const path = prefix ? `${prefix}/${name}` : name;
  const kind = String.fromCharCode(header[156] ?? 0);
  if (kind !== '0' && kind !== '\0')
    throw new BadArchive(`${quoteName(path)} ${KINDS[kind] ?? 'is of an unknown kind'}`);
  if (header.toString('latin1', 257, 265) !== MAGIC) throw new BadArchive('The archive is not in the format “ustar”');

  const size = readNumber(header, 124, 136);
  if (size === undefined) throw new BadArchive(`${quoteName(path)} does not say its size`);
  return { name: path, size };
}

/** Reads a text that ends with a NUL or fills its field. Only NULs may follow the first one. */
function readText(header: Buffer, from: number, to: number): string {
  const [text = '', ...hidden] = header.toString('latin1', from, to).split('\0');
  if (hidden.some((part) => part !== '')) throw new BadArchive(`${quoteName(text)} hides something behind its name`);
  return text;
}

/** Reads a number in octal digits; undefined for every other form. */
function readNumber(header: Buffer, from: number, to: number): number | undefined {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(header.toString('latin1', from, to))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** The sum of all bytes of a header, with spaces in place of the sum itself. */
function sum(header: Buffer): number {
  return header.reduce((total, byte, at) => total + (at >= CHECKSUM.from && at < CHECKSUM.to ? 32 : byte), 0);
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function isEmpty(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Reads chunks of any size in portions of a given size. */
function createReader(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let left: Buffer = Buffer.alloc(0);

  /** Gives at most `size` bytes; undefined at the end. */
  async function next(size: number): Promise<Buffer | undefined> {
    while (left.length === 0) {
      const read = await iterator.next();
      if (read.done) return undefined;
      left = read.value;
    }
    const portion = left.subarray(0, size);
    left = left.subarray(portion.length);
    return portion;
  }

  async function* some(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0;) {
      const portion = await next(missing);
      if (!portion) throw new BadArchive('The archive is cut');
      missing -= portion.length;
      yield portion;
    }
  }

  return {
    some,
    async exactly(size: number): Promise<Buffer> {
      const portions: Buffer[] = [];
      for await (const portion of some(size)) portions.push(portion);
      return Buffer.concat(portions);
    },
    async *all(): AsyncGenerator<Buffer> {
      for (let portion = await next(Infinity); portion; portion = await next(Infinity)) yield portion;
    },
  };
}

/** The upload is no valid archive of a release. The message is a sentence for the sender. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}
