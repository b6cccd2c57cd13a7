import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createFileNames, quoteName } from './file-names.ts';
import { BadArchive } from './bad-archive.ts';
import { readTar } from './tar.ts';

const MB = 1024 * 1024;

/** What one publication may bring. All releases of this site together have 1 MB in 200 files. */
export const LIMITS = {
  entries: 2000,
  fileBytes: 8 * MB,
  bytes: 64 * MB,
  /** How long the body may take to arrive. The server itself ends every request after 30 s, without an explanation. */
  patienceMs: 25_000,
};
export type ReceiveLimits = typeof LIMITS;

/**
 * Unpacks a release that comes in as a tar.gz. Nothing is held in memory but the chunk that has just arrived.
 * @param body is read, but never destroyed: its connection is needed for the answer. When this function throws, the
 *   caller discards what still comes.
 * @param folder an empty folder
 * @throws BadArchive when the archive is damaged, too large, too slow, or contains anything but files with plain names
 */
export async function receiveRelease(body: Readable, folder: string, limits: ReceiveLimits = LIMITS): Promise<void> {
  // Nothing more would be told of it, and its place would be taken until the time is over.
  if (body.destroyed) throw new BadArchive('The archive is cut');

  const received = new ByteLimit(limits.bytes, 'The archive');
  const slow = setTimeout(() => received.destroy(new BadArchive('The archive came too slowly')), limits.patienceMs);
  const stopWaiting = () => {
    clearTimeout(slow);
    if (!body.readableEnded) received.destroy(new BadArchive('The archive is cut'));
  };
  body.once('end', stopWaiting).once('close', stopWaiting);
  const gunzip = createGunzip();
  // A tar has a header for each file, fills blocks, and ends with up to 10 kB of zeros.
  const expanded = new ByteLimit(limits.bytes + (limits.entries + 10) * 1024, 'What the archive expands to');

  body.pipe(received);
  // Both have to be over: whoever is told of a failure removes the folder.
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

/** Passes on what it is given, and counts it. */
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

/** Makes a refusal of what zlib finds wrong. Other failures, such as a full disk, are not the sender's. */
function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new BadArchive('The archive is cut');
  return code.startsWith('Z_') ? new BadArchive('The archive is no gzip, or is damaged') : error;
}

function inMegabytes(bytes: number): string {
  return `${Math.floor(bytes / MB)} MB`;
}
