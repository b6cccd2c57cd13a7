import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Release } from '@app/contracts/release';
import express from 'express';
import { beforeEach, describe, expect, test } from 'vitest';
import { handleError } from '#api/foundation/http/handle-error.ts';
import { buildRelease, buildSnapshot } from '#api/test/delivery/build-release.ts';
import { insertReleases } from '#api/test/delivery/insert-releases.ts';
import { openEmptyDb } from '#api/test/create-test-api.ts';
import { listen } from '#api/test/listen.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { selectReleases } from '#api/delivery/serving/release-selection.ts';
import { listRegistry } from '#api/delivery/registry/list-registry.ts';
import { createReleaseHealth, type ReleaseHealth } from './release-health.ts';
import { releasesRoutes } from '#api/delivery/serving/releases.routes.ts';
import type { Snapshot } from '#api/delivery/registry/registry.ts';

const FILES = ['entry.js', 'static/js/page.js'];
const EXTENSIONS = ['', '.br', '.gz'];
const codeOf = (unit: string, version: string, name: string) =>
  `// ${unit} ${version} ${name} `.padEnd(600, 'of code ');

let folder: string;
let releases: Release[];
let snapshot: Snapshot;
let health: ReleaseHealth;
let reported: string[];
let url: string;

beforeEach(async () => {
  folder = makeFolder();
  releases = ['shell', 'tools'].flatMap((unit) => ['1.0.0', '2.0.0'].map((version) => release(unit, version)));
  for (const each of releases) for (const name of FILES) write(each, name);
  const [shell1, shell2, tools1, tools2] = releases as [Release, Release, Release, Release];
  snapshot = buildSnapshot([shell2, tools2], { shell: { lastGood: shell1 }, tools: { lastGood: tools1 } });
  await restart();
});

/** What a server does at its start. */
async function restart(): Promise<void> {
  // A check that a request has begun may end after its test, when the folder is gone.
  const own: string[] = (reported = []);
  health = createReleaseHealth(folder, ({ unit, version, damage }) => void own.push(`${unit}@${version} ${damage}`));
  await health.inspect(releases);
  const find = (unit: string, version: string) =>
    Promise.resolve(releases.find((known) => known.unit === unit && known.version === version));
  url = await listen(
    express().use(
      releasesRoutes(folder, { find, snapshot: () => snapshot }, health),
      handleError(() => undefined),
    ),
  );
}

/** Loads a page: what the server chooses for a unit, and every file of that release. */
async function load(unit: string, accepted = 'br') {
  const selected = selectReleases(snapshot, { isDamaged: (each) => health.findDamage(each) !== undefined }).units.get(
    unit,
  );
  if (!selected) throw new Error(`Nothing is selected of ${unit}.`);
  const { version } = selected.release;
  const answers = [];
  for (const name of FILES) {
    const answer = await fetch(`${url}/releases/${unit}/${version}/${name}`, {
      headers: { 'accept-encoding': accepted },
    });
    const isRight = answer.ok && (await answer.text().catch(() => '')) === codeOf(unit, version, name);
    answers.push(answer.ok ? (isRight ? 'right' : 'wrong') : 'lost');
  }
  return { version, source: selected.source, answers };
}

const DAMAGE_CASES: { what: string; endings: string[]; spoil: (path: string) => void }[] = [
  { what: 'gone', endings: EXTENSIONS, spoil: (path) => rmSync(path) },
  { what: 'cut', endings: EXTENSIONS, spoil: (path) => truncateSync(path, 20) },
  { what: 'turned in one bit', endings: EXTENSIONS, spoil: turnBit },
  { what: 'a link to what was published', endings: EXTENSIONS, spoil: replaceByLink },
];

test('a file of an unwatched release is read before it is served, and again after a change', async () => {
  const old = release('tools', '0.9.0');
  for (const name of FILES) write(old, name);
  releases.push(old);
  const ask = async () => {
    const answer = await fetch(`${url}/releases/tools/0.9.0/${FILES[0]}`, {
      headers: { 'accept-encoding': 'br, gzip' },
    });
    return [answer.status, answer.headers.get('content-encoding')];
  };
  expect(await ask()).toEqual([200, 'br']);

  turnBit(join(folder, `tools/0.9.0/${FILES[0]}.br`));
  expect(await ask()).toEqual([200, 'gzip']);
  for (const ending of ['', '.gz']) truncateSync(join(folder, `tools/0.9.0/${FILES[0]}${ending}`), 3);
  expect((await ask())[0]).toBe(404);
  write(old, FILES[0] ?? '');
  expect(await ask()).toEqual([200, 'br']);
});

describe.each(['shell', 'tools'])('damage on the disk (%s)', (unit) => {
  test.each(DAMAGE_CASES)(
    'a release with a file that is $what is replaced by the last good one, until the file is repaired',
    async (damage) => {
      expect(await load(unit)).toEqual({ version: '2.0.0', source: 'stable', answers: ['right', 'right'] });
      damageFile(unit, damage);

      // The first request may get an error, but never wrong content.
      expect((await load(unit)).answers).not.toContain('wrong');
      await health.turn();
      expect(await load(unit)).toEqual({ version: '1.0.0', source: 'fallback', answers: ['right', 'right'] });
      expect(health.findDamage({ unit, version: '2.0.0' })).toMatch(
        /^static\/js\/page\.js is (gone|not what was published)$/,
      );
      await health.turn();
      expect(reported).toHaveLength(1);

      write(release(unit, '2.0.0'), FILES[1] ?? '');
      await health.turn();
      expect(await load(unit)).toEqual({ version: '2.0.0', source: 'stable', answers: ['right', 'right'] });
      expect(reported).toHaveLength(2);
    },
  );

  test.each(DAMAGE_CASES)(
    'damage ($what) from before the start is detected before the first visitor is served',
    async (damage) => {
      damageFile(unit, damage);
      await restart();

      expect(await load(unit)).toEqual({ version: '1.0.0', source: 'fallback', answers: ['right', 'right'] });
    },
  );

  test.each(DAMAGE_CASES.flatMap(({ what, spoil }) => EXTENSIONS.map((ending) => ({ what, spoil, ending }))))(
    'when only one variant ($ending) of a file is $what, another one is sent',
    async ({ ending, ...damage }) => {
      damageFile(unit, { ...damage, endings: [ending] });
      for (const accepted of ['br', 'gzip', 'identity'])
        expect(await load(unit, accepted)).toEqual({
          version: '2.0.0',
          source: 'stable',
          answers: ['right', 'right'],
        });

      await health.turn();
      expect((await load(unit)).source).toBe('stable');
      expect(reported).toEqual([]);
    },
  );
});

test('damage met by a request is detected at once, and so is the next damage', async () => {
  for (const unit of ['shell', 'tools']) {
    damageFile(unit, { endings: EXTENSIONS, spoil: turnBit });
    await load(unit);
    await expect.poll(() => health.findDamage({ unit, version: '2.0.0' })).toBeDefined();
  }
});

test('without a last good release a damaged one is still served, because some of its pages may load', async () => {
  snapshot = buildSnapshot([release('shell', '2.0.0'), release('tools', '2.0.0')]);
  damageFile('tools', { endings: EXTENSIONS, spoil: (path) => rmSync(path) });
  await health.turn();

  expect(await load('tools')).toMatchObject({ version: '2.0.0', source: 'stable', answers: ['right', 'lost'] });
});

test('the list of releases reports what is wrong with their files', async () => {
  const db = await openEmptyDb();
  await insertReleases(db, releases);
  damageFile('tools', { endings: EXTENSIONS, spoil: (path) => rmSync(path) });
  await health.turn();

  const { units } = await listRegistry(db, health.findDamage);
  expect(
    units.flatMap((unit) =>
      unit.releases.flatMap(({ version, damage }) => (damage ? [unit.unit, version, damage] : [])),
    ),
  ).toEqual(['tools', '2.0.0', 'static/js/page.js is gone']);
});

test('a release that is no longer served is not watched', async () => {
  await health.inspect([release('shell', '2.0.0')]);
  damageFile('tools', { endings: EXTENSIONS, spoil: (path) => rmSync(path) });
  await health.turn();

  expect(reported).toEqual([]);
});

function release(unit: string, version: string): Release {
  const list = FILES.map((name) => {
    const code = codeOf(unit, version, name);
    return [name, { sha384: createHash('sha384').update(code).digest('base64'), bytes: code.length }] as const;
  });
  return buildRelease(unit, { version, files: Object.fromEntries(list) });
}

function write({ unit, version }: Release, name: string): void {
  const path = join(folder, unit, version, name);
  const code = codeOf(unit, version, name);
  mkdirSync(dirname(path), { recursive: true });
  for (const ending of EXTENSIONS) rmSync(path + ending, { force: true });
  writeFileSync(path, code);
  writeFileSync(`${path}.br`, brotliCompressSync(code));
  writeFileSync(`${path}.gz`, gzipSync(code));
}

/** Damages these forms of the second file of the unit's stable release. */
function damageFile(
  unit: string,
  { endings, spoil: harm }: Pick<(typeof DAMAGE_CASES)[number], 'endings' | 'spoil'>,
): void {
  for (const ending of endings) harm(join(folder, unit, '2.0.0', `${FILES[1] ?? ''}${ending}`));
}

/** As a tool does that deduplicates files. */
function replaceByLink(path: string): void {
  const elsewhere = join(makeFolder(), 'file');
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
}

/** Size and time stay as they were. */
function turnBit(path: string): void {
  const { atime, mtime } = statSync(path);
  const bytes = readFileSync(path);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  utimesSync(path, atime, mtime);
}
