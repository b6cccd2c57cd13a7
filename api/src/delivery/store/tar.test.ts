import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { packTar } from '#api/test/delivery/pack-release.ts';
import { readTar, tarHeader } from './release-archive.ts';

async function unpack(tar: Buffer): Promise<[string, string][]> {
  const files: [string, string][] = [];
  for await (const { name, content } of readTar(stream(tar))) files.push([name, String(await buffer(content))]);
  return files;
}

async function* stream(tar: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(tar);
}

test.each([
  ['a name that fills its field', 'n'.repeat(100)],
  ['a name that needs the field for folders', `${'d'.repeat(50)}/${'n'.repeat(50)}`],
  ['both fields full', `${'d'.repeat(155)}/${'n'.repeat(100)}`],
  ['a folder that fills its field', `${'d'.repeat(155)}/n`],
])('%s is read as it was written', async (_what, name) => {
  expect(await unpack(packTar([[name, Buffer.from('x')]]))).toEqual([[name, 'x']]);
});

test.each([
  ['a long name without folders', 'n'.repeat(101)],
  ['a name behind a short folder', `d/${'n'.repeat(101)}`],
  ['a folder that is too long', `${'d'.repeat(156)}/n`],
])('%s does not fit into a tar', (_what, name) => {
  expect(() => tarHeader(name, 0)).toThrow('is too long for a tar');
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
  const sum = header.fill(' ', 148, 156).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');

  expect(await unpack(Buffer.concat([header, Buffer.alloc(1024)]))).toEqual([['a.js', '']]);
});

test('one block of zeros is only half an end', async () => {
  const more = packTar([['b.js', Buffer.from('x')]]);

  await expect(unpack(Buffer.concat([Buffer.alloc(512), more]))).rejects.toThrow('has only half an end');
});
