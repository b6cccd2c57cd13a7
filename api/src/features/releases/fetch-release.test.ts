import { createHash } from 'node:crypto';
import fs, { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildRelease } from '#api/test/build-release.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { fetchRelease } from './fetch-release.ts';

/** How long the disk takes to open a file: longer than the peer takes to break off. */
const OPENED_MS = 100;

/** Happens once, while a file is being opened. */
let whileOpening: () => void;
/** Has the peer break off. */
let breakOff: () => void;
/** Comes when the disk has opened every file that it was asked for. */
let opened: Promise<unknown>[];

beforeEach(() => {
  opened = [];
  whileOpening = () => undefined;
  const { open } = fs;
  // Streams open their files with this function.
  vi.spyOn(fs, 'open').mockImplementation((...args: unknown[]) => {
    const tell = args.pop() as (...result: unknown[]) => void;
    const isOpened = new Promise<void>((resolve) => {
      const done = (...result: unknown[]) => {
        tell(...result);
        resolve();
      };
      setTimeout(() => void Reflect.apply(open, fs, [...args, done]), OPENED_MS);
    });
    opened.push(isOpened);
    whileOpening();
    whileOpening = () => undefined;
    breakOff();
  });
});
afterEach(() => void vi.restoreAllMocks());

const FORMS = ['.br', '.gz', ''].map((ending) => `remoteEntry.aa.js${ending}`);

/** Fetches a release from a peer that sends three characters for each file. */
async function fetchThree(staged: string, length: number): Promise<void> {
  const peerUrl = await listen((_req, res) => {
    breakOff = () => length > 3 && res.destroy();
    res.writeHead(200, { 'content-length': length }).write('abc');
  });
  const manifest = JSON.stringify(buildRelease('tools'));
  const digest = createHash('sha256').update(manifest).digest('hex');
  const deps = { store: {} as never, signature: { sign: () => '' }, peerUrl, staged };
  await fetchRelease(deps, { unit: 'tools', version: '0.1.0', manifest, digest } as never);
}

/** Fetches a release from a peer that breaks off while the first file is being opened. */
async function fetchFromBroken(staged: string): Promise<void> {
  await expect(fetchThree(staged, 1000)).rejects.toThrow(/terminated|aborted|closed|other side/);
  await Promise.all(opened);
  expect(opened.length).toBeGreaterThan(0);
}

test('of a file that breaks off while it is still being opened nothing stays', async () => {
  const staged = makeFolder();
  await fetchFromBroken(staged);

  expect(FORMS.filter((form) => existsSync(join(staged, form)))).toEqual([]);
});

test('what an earlier try has left does not stop the next one', async () => {
  const staged = makeFolder();
  for (const form of FORMS) writeFileSync(join(staged, form), 'left');

  await expect(fetchThree(staged, 3)).rejects.toThrow(/ is not what was published$/);
});

/** A folder, a file outside of it, and what puts links to that file in place of all that is fetched. */
function placeLink() {
  const staged = makeFolder();
  const outside = join(makeFolder(), 'outside');
  writeFileSync(outside, 'mine');
  return { staged, outside, link: () => FORMS.forEach((form) => symlinkSync(outside, join(staged, form))) };
}

test('threat 44: what a link in the way leads to stays as it was', async () => {
  const { staged, outside, link } = placeLink();
  link();
  await expect(fetchThree(staged, 3)).rejects.toThrow(/ is not what was published$/);

  expect(readFileSync(outside, 'utf8')).toBe('mine');
});

test('threat 44: a link that comes while the file is being opened is not followed', async () => {
  const { staged, outside, link } = placeLink();
  whileOpening = link;
  await expect(fetchThree(staged, 3)).rejects.toThrow('EEXIST');

  expect(readFileSync(outside, 'utf8')).toBe('mine');
});
