import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { packTar } from '#api/test/delivery/pack-release.ts';
import { LIMITS, packRelease, receiveRelease } from './release-archive.ts';

const FILES: [string, Buffer][] = [
  ['a.js', Buffer.alloc(700, 'a')],
  ['empty.js', Buffer.alloc(0)],
  [`${'folder/'.repeat(20)}b.js`, Buffer.alloc(512, 'b')],
];
const ZIP = gzipSync(await packTar(FILES));
const EXACT_LIMITS = { ...LIMITS, entries: 3, folders: 20, fileBytes: 700, bytes: 1212 };

test.each([1, 7, 512, 100_000])('a release received in chunks of %i bytes is unpacked unchanged', async (size) => {
  const folder = makeFolder();

  await receiveRelease(inPortions(ZIP, size), folder, EXACT_LIMITS);

  for (const [name, content] of FILES) expect(readFileSync(join(folder, name))).toEqual(content);
});

test.each(['ustar', 'gnu', 'pax'])(
  'unpacks an archive written by the program tar as %s of a folder',
  async (format) => {
    const [from, to] = [makeFolder(), makeFolder()];
    const names = ['static/js/a.js', `${'folder/'.repeat(16)}${format === 'ustar' ? 'n' : 'n'.repeat(80)}.js`];
    writeFiles(
      from,
      names.map((name) => [name, name]),
    );
    const tar = execFileSync('tar', [`--format=${format}`, '-czf', '-', '.'], { cwd: from });

    await receiveRelease(inPortions(tar, 1000), to);

    for (const name of names) expect(readFileSync(join(to, name), 'utf8')).toBe(name);
  },
);

test('equal files make an identical archive, which the program tar can read', async () => {
  const folder = makeFolder();
  const [name, files] = [`${'d/'.repeat(40)}${'n'.repeat(101)}`, {}];
  writeFiles(
    folder,
    ['release.json', name].map((file) => [file, file]),
  );
  Object.assign(files, { [name]: {} });

  const packed = await packRelease(folder, { files });
  utimesSync(join(folder, 'release.json'), 0, 0);

  expect(await packRelease(folder, { files })).toEqual(packed);
  expect(execFileSync('tar', ['-tz'], { input: packed, encoding: 'utf8' })).toBe(`release.json\n${name}\n`);
});

test.each([
  ['entries', 2, 'The archive has more than 2 files'],
  ['folders', 19, 'The archive has more than 19 folders'],
  ['fileBytes', 699, 'a.js is larger than'],
  ['bytes', 1211, 'The files are larger than'],
])('rejects a release that exceeds the limit of %s by one', async (limit, most, problem) => {
  await expect(receiveRelease(inPortions(ZIP, 100), makeFolder(), { ...EXACT_LIMITS, [limit]: most })).rejects.toThrow(
    problem,
  );
});

test('threat 38: an endless body is rejected, and its connection stays open for the response', async () => {
  const body = new PassThrough();
  const noise = Buffer.from(Array.from({ length: 3000 }, (_, nth) => (nth * 7919) % 251));
  body.write(gzipSync(noise, { level: 0 }));

  await expect(receiveRelease(body, makeFolder(), EXACT_LIMITS)).rejects.toThrow('is larger than');
  expect(body.destroyed).toBe(false);
});

test('threat 38: a stalled body times out, and its connection stays open for the response', async () => {
  const body = new PassThrough();
  body.write(ZIP.subarray(0, 100));

  await expect(receiveRelease(body, makeFolder(), { ...EXACT_LIMITS, timeoutMs: 20 })).rejects.toThrow(
    'came too slowly',
  );
  expect(body.destroyed).toBe(false);
});

test('an aborted upload is detected, and nothing is written afterwards', async () => {
  const body = new PassThrough();
  const folder = makeFolder();
  const received = receiveRelease(body, folder, EXACT_LIMITS);
  body.write(ZIP.subarray(0, 100));
  body.destroy();

  await expect(received).rejects.toThrow('is cut');
  const left = readdirSync(folder);
  await new Promise((resolve) => setImmediate(resolve));
  expect(readdirSync(folder)).toEqual(left);
});

function inPortions(bytes: Buffer, size: number): Readable {
  const portions = Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) =>
    bytes.subarray(nth * size, (nth + 1) * size),
  );
  return Readable.from(portions);
}

test('an upload aborted before its first byte was read is detected at once', async () => {
  const body = new PassThrough();
  await once(body.destroy(), 'close');

  await expect(receiveRelease(body, makeFolder(), { ...EXACT_LIMITS, timeoutMs: 2000 })).rejects.toThrow('is cut');
});
