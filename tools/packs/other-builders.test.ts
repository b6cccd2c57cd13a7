import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseSchema } from '../../shared/contracts/src/release.ts';
import { readStaged } from '../../api/src/delivery/store/staged-release.ts';
import { HOST_API_VERSION } from '../../shared/contracts/src/unit.ts';
import { describeBuild } from './tool/describe-build.ts';

const folder = mkdtempSync(join(tmpdir(), 'other-builders-'));
const built = join(folder, 'dist');
const pages = { '/news': { title: 'News', description: 'What is new.' } };
const NEWS = { unit: 'news', version: '0.1.0', commit: 'c0ffee0', pages };

const NO_FILES = { sync: [], async: [] };
const entry = { name: 'remoteEntry.js', path: '', type: 'global' };
const metaData = { globalName: 'news__0_1_0', publicPath: 'auto', remoteEntry: entry };
const exposed = { path: './remote', assets: { js: NO_FILES, css: NO_FILES } };
const manifest = { metaData, shared: [], exposes: [exposed] };

beforeAll(() => {
  cpSync('e2e/remotes', folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['builders.mjs'], { cwd: folder, env: { ...process.env, BUILDER: 'rspack' } });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('what Rspack has built becomes a release with its pages, and asks the shell for what the page has', async () => {
  describeBuild(built, NEWS);
  const release = v.parse(releaseSchema, JSON.parse(readFileSync(join(built, 'release.json'), 'utf8')));

  expect(release).toMatchObject({
    ...{ unit: 'news', version: '0.1.0', commit: 'c0ffee0' },
    contract: {
      version: HOST_API_VERSION,
      requires: { react: ['*'], 'react/jsx-runtime': ['*'], '@app/platform': ['*'] },
    },
    entry: { file: 'remoteEntry.js', globalName: 'news__0_1_0' },
    routes: [{ path: '/news', title: 'News', shareTitle: 'News', canonical: null, preload: ['remoteEntry.js'] }],
  });
  expect(release.entry.integrity).toBe(`sha384-${release.files['remoteEntry.js']?.sha384 ?? ''}`);
  expect(Object.keys(release.files)).not.toContain('mf-stats.json');
  expect(existsSync(join(built, 'remoteEntry.js.br'))).toBe(true);
  // Beside them lies what no page asks for, which is not sent.
  expect(await readStaged(built, false)).toMatchObject({ isOk: true });

  // A second time it lists the same: not what the first has written.
  const first = readFileSync(join(built, 'release.json'), 'utf8');
  describeBuild(built, NEWS);
  expect(readFileSync(join(built, 'release.json'), 'utf8')).toBe(first);
});

test('a build of webpack’s own plugin, which writes no manifest, is described by its usual names', () => {
  expect(described(undefined)).toMatchObject({
    entry: { file: 'remoteEntry.js', globalName: 'news__0_1_0' },
    contract: { requires: {} },
  });
});

test('of a build of Vite the entry is the plain script', () => {
  // An empty public path is right: it is relative.
  const vite = {
    ...metaData,
    publicPath: '',
    remoteEntry: { ...entry, type: 'module' },
    varRemoteEntry: { ...entry, name: 'var.js' },
  };

  expect(described({ ...manifest, metaData: vite }, ['var.js'])).toMatchObject({ entry: { file: 'var.js' } });
});

test('the shell gives what the build has no copy of, and our own package without the version of the pack', () => {
  const shared = [
    { name: 'react', version: '19.3.1', assets: { js: NO_FILES, css: NO_FILES } },
    { name: 'react-dom', version: '*', assets: { js: NO_FILES, css: NO_FILES } },
    { name: '@app/platform', version: '0.1.0', assets: { js: NO_FILES, css: NO_FILES } },
    { name: 'lodash', version: '4.17.21', assets: { js: { sync: ['lodash.js'], async: [] }, css: NO_FILES } },
    { name: 'late', version: '1.0.0', assets: { js: { sync: [], async: ['late.js'] }, css: NO_FILES } },
  ];
  const release = described({ ...manifest, shared });

  expect(release).toHaveProperty('contract.requires', { react: ['*'], 'react-dom': ['*'], '@app/platform': ['*'] });
  expect(release).toHaveProperty('contract.versions', { react: '19.3.1' });
});

test('what a build makes besides, and no page asks for, is not listed', () => {
  const release = described(manifest, ['@mf-types.d.ts', '@mf-types.zip', 'index.html', 'remoteEntry.js.map']);

  expect(Object.keys((release as { files: object }).files).sort()).toEqual(['mf-manifest.json', 'remoteEntry.js']);
});

test('styles that every page needs are those of the exposed module', () => {
  const css = { sync: ['all.css'], async: [] };
  const styled = { ...manifest, exposes: [{ ...exposed, assets: { js: NO_FILES, css } }] };

  expect(described(styled, ['all.css'])).toMatchObject({ css: ['all.css'], routes: [{ css: ['all.css'] }] });
});

test.each([
  [
    'another name',
    { metaData: { ...metaData, globalName: 'news' } },
    'The container is named news: set name in the federation plugin to news__0_1_0',
  ],
  [
    'an ES module',
    { metaData: { ...metaData, remoteEntry: { ...entry, type: 'module' } } },
    "remoteEntry.js is an ES module, which the site does not load: set varFilename: 'remoteEntry.var.js' (Vite)",
  ],
  [
    'a fixed address',
    { metaData: { ...metaData, publicPath: '/' } },
    "The build looks for its files at /, and they are at /releases/news/0.1.0/: set output.publicPath to 'auto'",
  ],
  [
    'an entry with a hash',
    { metaData: { ...metaData, remoteEntry: { ...entry, name: 'remoteEntry.0a1b2c3d.js' } } },
    'remoteEntry.0a1b2c3d.js has a hash in its name',
  ],
  [
    'a missing entry',
    { metaData: { ...metaData, remoteEntry: { ...entry, name: 'other.js' } } },
    'other.js is missing: build first',
  ],
  ['no module', { exposes: [] }, 'The container has no ./remote: set exposes'],
  ['no form', { metaData: {} }, 'mf-manifest.json is no manifest of Module Federation'],
])('a manifest with %s is refused by a sentence that says what to set', (_what, changes, sentence) => {
  expect(() => described({ ...manifest, ...changes })).toThrow(sentence);
});

test.each(['fetch("/assets/hero.png")', 'fetch(`/assets/hero.png`)', 'a{background:url(/assets/hero.png)}'])(
  'a file that the build looks for at the root of the site is refused: %s',
  (code) => {
    const dist = mkdtempSync(join(folder, 'dist-'));
    mkdirSync(join(dist, 'assets'));
    for (const [name, text] of Object.entries({ 'remoteEntry.js': '', 'assets/page.css': code, 'assets/hero.png': '' }))
      writeFileSync(join(dist, name), text);

    expect(() => describeBuild(dist, NEWS)).toThrow(
      "assets/page.css looks for assets/hero.png at the root of the site: set base to './' (Vite)",
    );
  },
);

test('a page without a description is named', () => {
  expect(() => described(manifest, [], { '/news': { title: 'News' } })).toThrow(
    /^"pages" in package\.json is not complete: .*description/s,
  );
});

test('a folder in which nothing was built says so', () => {
  expect(() => describeBuild(join(folder, 'nothing'), NEWS)).toThrow('remoteEntry.js is missing: build first');
});

/** Describes a build with a manifest and these files besides the entry. */
function described(said: object | undefined, names: readonly string[] = [], own = NEWS.pages as object) {
  const dist = mkdtempSync(join(folder, 'dist-'));
  for (const name of ['remoteEntry.js', ...names]) writeFileSync(join(dist, name), `/* ${name} */`);
  if (said) writeFileSync(join(dist, 'mf-manifest.json'), JSON.stringify(said));
  mkdirSync(join(dist, '.vite'));
  writeFileSync(join(dist, '.vite/manifest.json'), '{}');

  describeBuild(dist, { ...NEWS, pages: own as typeof pages });
  return JSON.parse(readFileSync(join(dist, 'release.json'), 'utf8')) as object;
}
