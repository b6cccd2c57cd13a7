import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { packTar } from '#api/test/delivery/pack-release.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { readTar, tarHeader } from './tar.ts';

async function unpack(tar: Buffer): Promise<[string, string][]> {
  const files: [string, string][] = [];
  for await (const { name, content } of readTar(stream(tar))) files.push([name, String(await buffer(content))]);
  return files;
}

/** Writes the sum of the header at the beginning of a tar anew. */
function sumUp(tar: Buffer): Buffer {
  const header = tar.subarray(0, 512);
  const sum = header.fill(' ', 148, 156).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return tar;
}

async function* stream(tar: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(tar);
}

test.each([
  ['a name that fills its field', 'n'.repeat(100)],
  ['a name that needs the field for folders', `${'d'.repeat(50)}/${'n'.repeat(50)}`],
  ['both fields full', `${'d'.repeat(155)}/${'n'.repeat(100)}`],
  ['a folder that fills its field', `${'d'.repeat(155)}/n`],
  ['a long name without folders', 'n'.repeat(101)],
  ['a name behind a short folder', `d/${'n'.repeat(101)}`],
  ['a folder that is too long', `${'d'.repeat(156)}/n`],
  ['a name of ten times that length', 'n'.repeat(990)],
  ['a name that makes its record a digit longer', 'n'.repeat(92).padStart(992, 'd/')],
])('%s is read as it was written, also by the tar of the machine', async (_what, name) => {
  const tar = packTar([[name, Buffer.from('x')]]);

  expect(await unpack(tar)).toEqual([[name, 'x']]);
  expect(execFileSync('tar', ['-t'], { input: tar, encoding: 'utf8' })).toBe(`${name}\n`);
});

test('a tar has one form: no time, no owner, and read permissions for all', () => {
  const header = tarHeader('a.js', 65).toString('latin1');
  const fields = ['0000644', '0000000', '0000000', '00000000101', '00000000000', ''];

  expect(header.slice(100, 148).split('\0')).toEqual(fields);
  expect(header.slice(257, 265)).toBe('ustar\x0000');
});

test('a plain file of an old tar, whose kind is a NUL, is a plain file', async () => {
  const header = tarHeader('a.js', 0);
  header[156] = 0;

  expect(await unpack(Buffer.concat([sumUp(header), Buffer.alloc(1024)]))).toEqual([['a.js', '']]);
});

test('a header of GNU tar has times where others have folders, and they are no part of the name', async () => {
  const header = tarHeader('a.js', 0);
  header.write('ustar  \0', 257, 'latin1');
  header.write('14736214355\x0014736214355\0', 345, 'latin1');

  expect(await unpack(Buffer.concat([sumUp(header), Buffer.alloc(1024)]))).toEqual([['a.js', '']]);
});

const LONG = `${'folder/'.repeat(16)}${'n'.repeat(90)}.js`;

test.each([
  ['ustar', 'of a folder', ['static/js/a.js']],
  ['gnu', 'with names that do not fit into a header', ['static/js/a.js', LONG]],
  ['pax', 'with times, owners and names that do not fit into a header', ['static/js/a.js', LONG]],
])('what the program tar writes as %s %s is read', async (format, _what, names) => {
  const folder = makeFolder();
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `content of ${name}`);
  }
  const tar = execFileSync('tar', [`--format=${format}`, '--sort=name', '-cf', '-', '.'], { cwd: folder });

  expect((await unpack(tar)).sort()).toEqual(names.map((name) => [name, `content of ${name}`]).sort());
});

test('a global header of pax, as `git archive` writes it, changes no file', async () => {
  const global = packTar([['pax_global_header', Buffer.from('52 comment=0123456789012345678901234567890123456789\n')]]);
  global[156] = 'g'.charCodeAt(0);

  expect(await unpack(Buffer.concat([sumUp(global.subarray(0, 1024)), packTar([['a.js', Buffer.from('x')]])]))).toEqual(
    [['a.js', 'x']],
  );
});

test('one block of zeros is only half an end', async () => {
  const more = packTar([['b.js', Buffer.from('x')]]);

  await expect(unpack(Buffer.concat([Buffer.alloc(512), more]))).rejects.toThrow('has only half an end');
});

/** A header of a kind, with its content. */
function headerOf(kind: string, content: Buffer): Buffer {
  const tar = packTar([['h', content]]).subarray(0, -1024);
  tar[156] = kind.charCodeAt(0);
  return sumUp(tar);
}

test.each([
  ['pax headers', headerOf('x', Buffer.from('9 path=n\n'))],
  ['global headers', headerOf('g', Buffer.from('9 path=n\n'))],
  ['long names', headerOf('L', Buffer.from('n'))],
  ['folders', headerOf('5', Buffer.alloc(0))],
])('%s without end are refused before they cost time', async (_what, header) => {
  const file = packTar([['n', Buffer.from('x')]]);
  const times = (count: number) => Buffer.concat([...Array.from({ length: count }, () => header), file]);

  expect(await unpack(times(8000))).toEqual([['n', 'x']]);
  await expect(unpack(times(8001))).rejects.toThrow('has more than 8000 headers that are no files');
});

test('a pax header that says too much of one file is refused', async () => {
  const say = (count: number) =>
    Buffer.concat([headerOf('x', Buffer.from('6 a=b\n'.repeat(count))), packTar([['n', Buffer.from('x')]])]);

  expect(await unpack(say(100))).toEqual([['n', 'x']]);
  await expect(unpack(say(101))).rejects.toThrow('A pax header has more than 100 records');
});
