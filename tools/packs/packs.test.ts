import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { versionOf } from '../build/federation-manifest.ts';
import { listLanguages } from '../build/translations-plugin.ts';
import { listUnitFolders } from '../build/units.ts';
import { dieWithParent } from '../machine/die-with-parent.mjs';
import { buildRelease } from '../units/build-units.ts';
import { installPacks } from './install-packs.ts';
import { makePacks } from './make-packs.ts';
import { filesAloneOf } from './unit-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'packs-'));
const installed = join(folder, 'installed');

beforeAll(() => installPacks(installed));
afterAll(() => rmSync(folder, { recursive: true }));

test('everybody may read what is packed: sources that browsers get, the build of units, and the tool of teams', () => {
  const ours = join(installed, 'node_modules/@app');
  const files = (name: string) =>
    readdirSync(join(ours, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(join(ours, name).length + 1));

  expect(readdirSync(ours)).toEqual([
    'brand-ui',
    'build-preset',
    'contracts',
    'design-system',
    'platform',
    'release',
    'testing',
  ]);
  for (const name of ['brand-ui', 'contracts', 'design-system', 'platform', 'testing'])
    expect(
      files(name).filter((file) => !/^(src\/(?!.*\.test\.).*\.(tsx?|css|json|svg)|package\.json)$/.test(file)),
    ).toEqual([]);
  expect(
    files('build-preset').filter(
      (file) =>
        !/^(tools\/(build|against)\/(?!.*\.test\.)|tools\/lint\/text-alone\.js$|shared\/contracts\/|rspack\.config\.base\.|oxlintrc\.json$|tsconfig\.base\.json$|translations\/[a-z]+\/(design-system|brand-ui)|package\.json$)/.test(
          file,
        ),
    ),
  ).toEqual([]);
  expect(files('release').sort()).toEqual([
    'bin.js',
    'ci/github-publish.yml',
    'ci/gitlab.yml',
    'package.json',
    'release.js',
    'settings/editorconfig',
    'settings/nvmrc',
    'settings/prettierrc.json',
    'third-party-notices.txt',
    'versions.json',
  ]);
  // The commands for the machine of a site are not in it, nor what they need.
  const tool = readFileSync(join(ours, 'release/release.js'), 'utf8');
  expect(tool).toContain('gives a version to a share of the visitors');
  expect(tool).not.toMatch(/kysely|prerendering|HMAC|collectGarbage|createDeployToken/i);
});

test('packs of the same sources are the same bytes', async () => {
  const [first, second] = [await makePacks(), await makePacks()];

  expect(first.map(({ name }) => name)).toContain('release');
  for (const [nth, { name, bytes }] of first.entries()) expect(second[nth]?.bytes.equals(bytes), name).toBe(true);
});

test('packs have the version of the host API, and depend on no package of ours, which the registry does not know', () => {
  for (const name of readdirSync(join(installed, 'node_modules/@app'))) {
    const { version, dependencies = {} } = readManifest(name);
    expect(version, name).toBe(versionOf('@app/platform', process.cwd()));
    for (const [needed, range] of Object.entries(dependencies)) {
      expect(needed).not.toMatch(/^@app\//);
      expect(range, `${name} needs ${needed}`).toMatch(/^[\^~]\d/);
    }
  }
});

test('an older Node is told in one line which one is needed', () => {
  const old = join(folder, 'old-node.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });");
  const args = ['--require', old, join(installed, 'node_modules/@app/release/bin.js'), 'help'];

  expect(() => execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })).toThrow(
    'Node 24 or newer is needed; this is 18.20.0.',
  );
});

test.each(listUnitFolders().slice(1))(
  'in a repository of its own %s builds the same bytes as here',
  async (unitFolder) => {
    const unit = basename(unitFolder);
    const alone = join(folder, unit);
    cpSync(unitFolder, alone, { recursive: true, filter: (path) => !/\.test\.|node_modules/.test(path) });
    for (const language of listLanguages('translations'))
      for (const name of readdirSync(`translations/${language}`).filter((file) => file.split('.')[0] === unit))
        cpSync(`translations/${language}/${name}`, join(alone, 'translations', language, name), { recursive: true });
    const own = filesAloneOf({ unit, site: 'https://site.example', packs: {}, versions: {} });
    for (const name of ['package.json', 'rspack.config.ts']) writeFileSync(join(alone, name), own[name] ?? '');
    symlinkSync(join(installed, 'node_modules'), join(alone, 'node_modules'));
    // What two of them take of this repository besides, at its place.
    mkdirSync(join(alone, 'dist/.layout'), { recursive: true });
    cpSync('samples', join(alone, 'dist/.layout/samples'), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });

    const commit = 'c0ffee0';
    const [here] = await Promise.all([
      buildRelease(unit, join(folder, 'here')),
      build(alone, { RELEASE_COMMIT: commit }),
    ]);

    const there = join(alone, 'dist', unit, '0.1.0');
    const names = listFiles(here);
    expect(names.length).toBeGreaterThan(10);
    expect(listFiles(there)).toEqual(names);
    for (const name of names.filter((file) => file !== 'release.json'))
      expect(readFileSync(join(there, name)).equals(readFileSync(join(here, name))), name).toBe(true);
    const [release, other] = [here, there].map(
      (path) => JSON.parse(readFileSync(join(path, 'release.json'), 'utf8')) as { commit: string },
    );
    expect(other).toEqual({ ...release, commit });
  },
);

function readManifest(name: string) {
  const file = join(installed, 'node_modules/@app', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { version: string; dependencies?: Record<string, string> };
}

/** Builds as a team does. */
function build(cwd: string, settings: NodeJS.ProcessEnv): Promise<void> {
  const env = { ...process.env, RELEASE_VERSION: undefined, RELEASE_OUT: undefined, DEV_UPDATES_URL: undefined };
  return new Promise((resolve, reject) => {
    execFile(
      ...dieWithParent('npm', ['run', '--silent', 'build']),
      { cwd, env: { ...env, ...settings } },
      (error, out, err) => (error ? reject(new Error(out + err)) : resolve()),
    );
  });
}

function listFiles(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .sort();
}
