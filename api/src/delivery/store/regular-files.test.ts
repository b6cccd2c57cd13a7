import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { openRegularFile } from './release-files.ts';
import { isListedFile } from './staged-release.ts';

/** Puts an empty file into a folder, and entries that only look like one. */
function fill(folder: string): void {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'file'), join(folder, 'link'));
  symlinkSync('/dev/null', join(folder, 'device'));
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
}

test('only a regular file is opened, and opening a pipe does not block', async () => {
  const folder = makeFolder();
  fill(folder);

  await (await openRegularFile(join(folder, 'file'))).close();
  for (const name of ['link', 'device', 'folder', 'pipe', 'nothing'])
    await expect(openRegularFile(join(folder, name)), name).rejects.toThrow();
  await expect(openRegularFile('/dev/null')).rejects.toThrow('/dev/null is no regular file');
});

test('threat 44: what only looks like an empty file is not the listed file', async () => {
  const folder = makeFolder();
  fill(folder);
  const listed = { bytes: 0, sha384: createHash('sha384').digest('base64') };

  expect(await isListedFile(join(folder, 'file'), listed)).toBe(true);
  for (const name of ['link', 'device', 'folder', 'pipe'])
    expect(await isListedFile(join(folder, name), listed), name).toBe(false);
});
