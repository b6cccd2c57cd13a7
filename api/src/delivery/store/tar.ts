import { quoteName } from './release-files.ts';

/**
 * The format is ustar: blocks of 512 bytes, of which the first is the header of a file and the others its content. Two
 * blocks of zeros end it. Source: POSIX.1-2017, pax, "ustar Interchange Format".
 */
const BLOCK = 512;
const MAGIC = 'ustar\x0000';
const GNU_MAGIC = 'ustar  \0';
const CHECKSUM = { from: 148, to: 156 };

/** A plain file in a tar. */
export interface TarEntry {
  name: string;
  size: number;
  /** Has to be read to its end before the next entry is requested. */
  content: AsyncIterable<Buffer>;
}

const KINDS: Record<string, Header['kind']> = {
  '0': 'file',
  '\0': 'file',
  '5': 'folder',
  x: 'pax',
  g: 'global',
  L: 'longName',
};

/** What is refused. A link could lead out of the folder. */
const REFUSED: Record<string, string> = {
  '1': 'is a hard link',
  '2': 'is a symbolic link',
  '3': 'is a device',
  '4': 'is a device',
  '6': 'is a pipe',
  K: 'has the target of a link',
  S: 'is a sparse file of GNU tar',
};

/** What an extended header says of the entry that follows it. */
interface Extended {
  name?: string;
  size?: number;
}

/** A header with a long name has a few hundred bytes. */
const MOST_HEADER_BYTES = 64 * 1024;
/** A pax header has about ten records. */
const MOST_RECORDS = 100;
/** Enough for extended headers of 2000 files and of as many folders. The archive may be small all the same, as a gzip. */
const MOST_OTHER_HEADERS = 8000;

/**
 * Reads the plain files of a tar as people make them: ustar, pax or GNU tar, with folders, and with names that begin with
 * `./`. It never holds more than one chunk and one block, or one extended header.
 * @throws BadArchive for links and all else that is no plain file, and for a tar without its proper end
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const blocks = createReader(chunks);
  let extended: Extended = {};
  let others = 0;

  for (;;) {
    const header = await blocks.exactly(BLOCK);
    if (isEmpty(header)) break;

    const said = readHeader(header);
    if (said.kind !== 'file' && ++others > MOST_OTHER_HEADERS)
      throw new BadArchive(`The archive has more than ${MOST_OTHER_HEADERS} headers that are no files`);
    const { name, size } = said.kind === 'file' ? { ...said, ...extended } : said;
    if (said.kind === 'file') yield { name: name.replace(/^(\.\/)+/, ''), size, content: blocks.some(size) };
    if (said.kind === 'folder' && size > 0) throw new BadArchive(`${quoteName(name)} is a folder with content`);
    if (said.kind === 'file' || said.kind === 'folder') extended = {};
    else if (size > MOST_HEADER_BYTES) throw new BadArchive(`${quoteName(name)} is a header that is too long`);
    else Object.assign(extended, readExtended(said.kind, await blocks.exactly(size)));

    if (!isEmpty(await blocks.exactly(padding(size))))
      throw new BadArchive(`${quoteName(name)} hides something behind its end`);
  }
  if (!isEmpty(await blocks.exactly(BLOCK))) throw new BadArchive('The archive has only half an end');
  for await (const rest of blocks.all()) if (!isEmpty(rest)) throw new BadArchive('The archive goes on behind its end');
}

/** A global header says nothing of a single file, and times and owners do not matter. */
function readExtended(kind: 'pax' | 'global' | 'longName', text: Buffer): Extended {
  if (kind === 'global') return {};
  if (kind === 'longName') return { name: String(text).replace(/\0$/, '') };

  const { path, size, ...others } = readPax(text);
  if (Object.keys(others).some((key) => key.startsWith('GNU.sparse'))) throw new BadArchive('A file is a sparse file');
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new BadArchive('A pax header has a size that is no number');
  return { ...(path !== undefined && { name: path }), ...(size !== undefined && { size: Number(size) }) };
}

/** Reads the records of a pax header: each is `<its length> <key>=<value>` and a line feed. */
function readPax(text: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let [at, count] = [0, 1]; at < text.length; count++) {
    if (count > MOST_RECORDS) throw new BadArchive(`A pax header has more than ${MOST_RECORDS} records`);
    const length = Number.parseInt(text.toString('latin1', at, at + 8), 10);
    const [, key, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(String(text.subarray(at, at + length))) ?? [];
    if (key === undefined || value === undefined || at + length > text.length)
      throw new BadArchive('A pax header is damaged');
    records[key] = value;
    at += length;
  }
  return records;
}

/**
 * Makes the header of a file in a tar; a name that does not fit into it comes before it, in a header of pax. The content
 * of the file follows, then `tarPadding(size)`; after the last file `TAR_END`. Files have no owner and no time, so that
 * the same files make the same bytes.
 */
export function tarHeader(name: string, size: number): Buffer {
  const at = name.length <= 100 ? -1 : name.indexOf('/', name.length - 101);
  if (name.length <= 100 || (at >= 0 && at <= 155))
    return makeHeader(name.slice(at + 1), name.slice(0, Math.max(at, 0)), size);

  const record = ` path=${name}\n`;
  // The length of a record counts its own digits.
  const digits = String(record.length + 3).length;
  const text = Buffer.from(`${record.length + digits}${record}`, 'latin1');
  const short = makeHeader(name.slice(-100), '', size);
  return Buffer.concat([makeHeader('pax', '', text.length, 'x'), text, tarPadding(text.length), short]);
}

function makeHeader(name: string, prefix: string, size: number, type = '0'): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 'latin1');
  header.write('0000644\x000000000\x000000000\0', 100, 'latin1');
  header.write(`${size.toString(8).padStart(11, '0')}\x0000000000000\0        ${type}`, 124, 'latin1');
  header.write(MAGIC, 257, 'latin1');
  header.write(prefix, 345, 'latin1');
  header.write(`${sum(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.from, 'latin1');
  return header;
}

/** The zeros that follow the content of a file in a tar. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc(padding(size));
}

/** The end of a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

interface Header {
  kind: 'file' | 'folder' | 'pax' | 'global' | 'longName';
  name: string;
  size: number;
}

function readHeader(header: Buffer): Header {
  if (readNumber(header, CHECKSUM.from, CHECKSUM.to) !== sum(header))
    throw new BadArchive('The archive is no tar, or is damaged');

  const magic = header.toString('latin1', 257, 265);
  if (magic !== MAGIC && magic !== GNU_MAGIC) throw new BadArchive('The archive is not in the format “ustar”');

  // GNU tar has times in the place of the prefix.
  const [name, prefix] = [readText(header, 0, 100), magic === MAGIC && readText(header, 345, 500)];
  const path = prefix ? `${prefix}/${name}` : name;
  const type = String.fromCharCode(header[156] ?? 0);
  const kind = KINDS[type];
  if (!kind) throw new BadArchive(`${quoteName(path)} ${REFUSED[type] ?? 'is of an unknown kind'}`);

  const size = readNumber(header, 124, 136);
  if (size === undefined) throw new BadArchive(`${quoteName(path)} does not say its size`);
  return { kind, name: path, size };
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
