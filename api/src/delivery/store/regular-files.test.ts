import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { openRegularFile } from './release-files.ts';
import { isListedFile } from './staged-release.ts';

test('threat 44: only a listed regular file is opened, and opening a pipe does not block', async () => {
  const folder = makeFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  symlinkSync(file, join(folder, 'link'));
  symlinkSync('/dev/null', join(folder, 'device'));
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const listed = { bytes: 0, sha384: createHash('sha384').digest('base64') };

  await (await openRegularFile(file)).close();
  expect(await isListedFile(file, listed)).toBe(true);
  for (const name of ['link', 'device', 'folder', 'pipe', 'nothing']) {
    await expect(openRegularFile(join(folder, name)), name).rejects.toThrow();
    expect(await isListedFile(join(folder, name), listed), name).toBe(false);
  }
  await expect(openRegularFile('/dev/null')).rejects.toThrow('/dev/null is no regular file');
});

test.each([
  ['.gz', gzipSync],
  ['.br', brotliCompressSync],
] as const)('a precompressed variant (%s) is decompressed at most to its original’s size', async (ending, compress) => {
  const file = join(makeFolder(), `file${ending}`);
  const original = Buffer.alloc(1024);
  const listed = { bytes: 1024, sha384: createHash('sha384').update(original).digest('base64') };

  writeFileSync(file, compress(original));
  expect(await isListedFile(file, listed, ending)).toBe(true);
  writeFileSync(file, compress(Buffer.alloc(100_000_000)));
  const before = process.memoryUsage.rss();
  expect(await isListedFile(file, listed, ending)).toBe(false);
  expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
});

test('a file that is longer than the listed one is not read', async () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');
  truncateSync(file, 200_000_000);
  const before = process.memoryUsage.rss();

  for (const ending of ['', '.gz', '.br'])
    expect(await isListedFile(file, { bytes: 1024, sha384: '' }, ending)).toBe(false);
  expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
});
