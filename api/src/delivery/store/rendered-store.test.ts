import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '#api/test/make-folder.ts';
import { openReleaseStore } from './release-store.ts';
import { openRenderedStore, removeRendered, removeUnused, type RenderingName } from './rendered-store.ts';

const NAME: RenderingName = { unit: 'tools', version: '1.0.0', shellVersion: '2.0.0', hash: 'abc'.padEnd(32, '0') };
const PAGES = { '/a': { none: '<p>a</p>' }, '/b': { none: '<p>b</p>' } };
const DAY = 24 * 60 * 60;

function listFiles(folder: string): string[] {
  return readdirSync(folder).sort();
}

async function makeStore() {
  const folder = makeFolder();
  const store = openRenderedStore(folder);
  await store.write(NAME, PAGES);
  return { folder, store, file: join(folder, listFiles(folder)[0] ?? '') };
}

test('a stored rendering can be read, also by another process', async () => {
  const { folder, store } = await makeStore();

  expect(await store.read(NAME)).toEqual(PAGES);
  expect(await openRenderedStore(folder).read(NAME)).toEqual(PAGES);
  expect(await store.read({ ...NAME, hash: 'other' })).toBeUndefined();
});

test.each<[string, (content: string) => string]>([
  ['is cut', (content) => content.slice(0, -5)],
  ['is empty', () => ''],
  ['was changed by the disk', (content) => content.replace('<p>a', '<p>x')],
  ['is of another user', () => '{"/a":"<p>mine</p>"}'],
  ['has zeros', (content) => content.replaceAll(/[^\n]/g, '\0')],
])('threat 42: a file that %s is not served, and is written again', async (_what, change) => {
  const { store, file } = await makeStore();
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  expect(await store.read(NAME)).toBeUndefined();

  await store.write(NAME, PAGES);
  expect(await store.read(NAME)).toEqual(PAGES);
});

test('a partial file of a killed process is never read, and is removed after a while', async () => {
  const { folder, store, file } = await makeStore();
  const left = join(folder, 'abcdefghijkl.rendered-part');
  writeFileSync(left, readFileSync(file, 'utf8').slice(0, 20));
  expect(await store.read(NAME)).toEqual(PAGES);

  // It may be being written.
  expect(await removeUnused(folder)).toBe(0);
  setAge(left, 0.1);
  expect(await removeUnused(folder)).toBe(1);
  expect(existsSync(left)).toBe(false);
});

test('a file unread for a week is removed, and a file that was read is kept', async () => {
  const { folder, store } = await makeStore();
  await store.write({ ...NAME, hash: 'f'.repeat(32) }, PAGES);
  for (const name of listFiles(folder)) setAge(join(folder, name), 8);
  await store.read(NAME);

  expect(await removeUnused(folder)).toBe(1);
  expect(listFiles(folder)).toEqual(['tools@1.0.0+2.0.0+abc00000000000000000000000000000.json']);
});

test('the rendered pages of a release are removed with it; those within a shell with the shell', async () => {
  const { folder, store } = await makeStore();
  await store.write({ ...NAME, version: '1.0.0-2' }, PAGES);
  await store.write({ ...NAME, shellVersion: '1.0.0' }, PAGES);

  await removeRendered(folder, 'tools', '1.0.0');
  expect(listFiles(folder)).toEqual(['tools@1.0.0-2+2.0.0+abc00000000000000000000000000000.json']);
  await removeRendered(folder, 'shell', '2.0.0');
  expect(listFiles(folder)).toEqual([]);
  expect(await removeRendered(makeFolder(), 'shell', '2.0.0')).toBe(0);
});

test('a read-only folder causes only repeated rendering', async () => {
  const folder = join(makeFolder(), 'rendered');
  writeFileSync(folder, 'in the way');
  const store = openRenderedStore(folder);
  await store.write(NAME, PAGES);

  expect(await store.read(NAME)).toBeUndefined();
});

test('threat 42: only a regular file of this user is read, and other files do not block', async () => {
  const { store, folder, file } = await makeStore();
  const elsewhere = join(makeFolder(), 'elsewhere.json');
  renameSync(file, elsewhere);

  symlinkSync(elsewhere, file);
  expect(await store.read(NAME)).toBeUndefined();
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(await store.read(NAME)).toBeUndefined();
  rmSync(file);
  mkdirSync(file);
  expect(await store.read(NAME)).toBeUndefined();
  rmdirSync(file);
  renameSync(elsewhere, file);
  vi.spyOn(process, 'getuid').mockReturnValue(54321);
  expect(await store.read(NAME)).toBeUndefined();
  vi.restoreAllMocks();
  expect(await store.read(NAME)).toEqual(PAGES);
  expect(listFiles(folder)).toHaveLength(1);
});

test('unrelated files are kept, however old, in case a setting names the wrong folder', async () => {
  const folder = makeFolder();
  const theirs = ['photo.json', 'movie.part', 'a@b+c+d.json', 'long-holiday.part.zip'].map((name) =>
    join(folder, name),
  );
  for (const path of theirs) {
    writeFileSync(path, '');
    setAge(path, 800);
  }

  const album = join(folder, 'holiday-2024.rendered-part');
  mkdirSync(album);
  setAge(album, 800);

  expect(await removeUnused(folder)).toBe(0);
  expect(await removeRendered(folder, 'shell', 'c')).toBe(0);
  expect(existsSync(album)).toBe(true);
  expect(theirs.every((path) => existsSync(path))).toBe(true);
});

function setAge(path: string, days: number): void {
  const then = Date.now() / 1000 - days * DAY;
  utimesSync(path, then, then);
}

/** A store of releases with the rendered pages of one. */
async function openWithPages() {
  const rendered = makeFolder();
  const store = await openReleaseStore(makeFolder(), rendered);
  await openRenderedStore(rendered).write(NAME, { '/a': { none: '<p>a</p>' } });
  return { store, rendered, file: join(rendered, readdirSync(rendered)[0] ?? '') };
}

test('a release is removed from the store together with its rendered pages', async () => {
  const { store, rendered } = await openWithPages();

  await store.remove('tools', '1.0.0');

  expect(readdirSync(rendered)).toEqual([]);
});

test('rendered pages unread by any process for a week count as leftovers', async () => {
  const { store, file } = await openWithPages();
  expect(await store.removeLeftovers()).toBe(0);

  utimesSync(file, 0, 0);

  expect(await store.removeLeftovers()).toBe(1);
  expect(existsSync(file)).toBe(false);
});
