import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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

test('a precompressed variant is decompressed at most to its original’s size', async () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, 'x');
  let expanded = 0;
  const expand = Duplex.from(async function* (source: AsyncIterable<Buffer>) {
    await buffer(source);
    for (; expanded < 10_000; expanded++) yield Buffer.alloc(1024);
  });

  expect(await isListedFile(file, { bytes: 1024, sha384: '' }, expand as Transform)).toBe(false);
  expect(expanded).toBeLessThan(1000);
});
