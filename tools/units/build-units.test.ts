import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { version } from 'react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findStyleProblems, findWeightProblems } from '../../api/src/delivery/store/staged-release.ts';
import { findHostApiProblem } from '../../shared/contracts/src/host-api-fit.ts';
import {
  HASHED_NAME,
  type Release,
  SERVER_BUNDLE,
  SERVER_MAP,
  THIRD_PARTY_NOTICES,
} from '../../shared/contracts/src/release.ts';
import { HOST_API_VERSION } from '../../shared/contracts/src/unit.ts';
import { buildRelease } from './build-units.ts';
import { listUnitFolders } from '../build/units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = [
  'package.json',
  'package-lock.json',
  'rspack.config.base.ts',
  'samples',
  'tools/against',
  'tools/build',
  'tools/build/units.ts',
  'shared',
  'remotes/tools',
];
const COMMIT = ['-c', 'user.name=Test', '-c', 'user.email=test@host', 'commit', '--quiet'];
const PAGE = 'remotes/tools/src/pages/reset-success-page.tsx';

const folder = mkdtempSync(join(tmpdir(), 'build-release-'));
const original = join(folder, 'original');
const clone = join(folder, 'elsewhere/deeper/clone');

let first: string;

beforeAll(async () => {
  for (const name of SOURCES)
    cpSync(join(ROOT, name), join(original, name), { recursive: true, filter: (path) => !/node_modules/.test(path) });
  // As in the product, a working copy with installed packages has no changes.
  writeFileSync(join(original, '.gitignore'), 'node_modules\n');
  git(original, 'init', '--quiet');
  git(original, 'add', '--all');
  git(original, ...COMMIT, '--message=All');
  git(folder, 'clone', '--quiet', original, clone);
  git(clone, ...COMMIT, '--allow-empty', '--message=Other');
  for (const copy of [original, clone]) linkPackages(copy);
  first = await buildRelease('tools', join(folder, 'first'), { root: original });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test('two builds of the same inputs are the same bytes, although folders and later commits differ', async () => {
  const second = await buildRelease('tools', join(folder, 'second/deeper'), { root: clone });

  expect(second).toBe(join(folder, 'second/deeper/tools/0.1.0'));
  const names = listFiles(first);
  expect(names).toEqual(expect.arrayContaining(['release.json', expect.stringMatching(/^remoteEntry\..*\.js\.br$/)]));
  expect(listFiles(second)).toEqual(names);
  for (const name of names)
    expect(readFileSync(join(second, name)).equals(readFileSync(join(first, name))), name).toBe(true);

  const release = readRelease(first);
  expect(release.commit).toBe(git(original, 'rev-parse', 'HEAD'));
  expect(Object.keys(release.files)).toEqual(Object.keys(release.files).sort());
});

test('a release lists the names that its modules import from each shared package, and what has changes is of no commit', async () => {
  const { commit, contract } = readRelease(
    await buildAfter({
      [PAGE]: `import * as all from 'react';
     import { showToast, withQuery as query } from '@app/platform';
     export { useOnlineStore } from '@app/platform';
     console.log(all, query, () => showToast);`,
    }),
  );

  expect(commit).toBeNull();
  expect(contract.requires).toMatchObject({
    react: expect.arrayContaining(['*', 'useState']) as string[],
    '@app/platform': expect.arrayContaining(['Link', 'showToast', 'useOnlineStore', 'withQuery']) as string[],
    'react/jsx-runtime': ['Fragment', 'jsx', 'jsxs'],
  });
  expect(contract.versions).toMatchObject({ react: version, '@app/platform': `${HOST_API_VERSION}.0` });
  expect(contract.requires?.['@app/platform']).not.toContain('useVisitor');
});

test('threat 38: a build that brings a copy of what the page has is known by its code', async () => {
  const path = await buildAfter({
    [PAGE]:
      // React DOM in a chunk of its own: a file that exceeds the budget is refused without being read.
      `void import('react-dom/client');
     import * as own from '../../../../node_modules/react/index.js';
     import { MemoryRouter, useHref } from 'react-router-dom';
     import { createStore } from 'zustand/vanilla';
     console.log(own.useState, MemoryRouter, useHref, createStore);`,
  });

  const found = (await findWeightProblems(readRelease(path), path)).join('\n');
  for (const name of ['react-dom', 'react', 'react-router-dom', 'zustand'])
    expect(found).toMatch(new RegExp(`static/js/\\S+ contains a copy of ${name}, which the page has already`));
});

test('a build that follows the rules brings no copy of what the page has, and no style for pages of others', async () => {
  for (const unit of listUnitFolders(ROOT)) {
    const path = builtFolder(basename(unit));
    expect(await findWeightProblems(readRelease(path), path), unit).toEqual([]);
    expect(await findStyleProblems(readRelease(path), path), unit).toEqual([]);
  }
});

test('a release has a source map for its server bundle alone, with the places of the sources and without their text', async () => {
  const path = await buildAfter({ [PAGE]: `if (globalThis.name) throw new Error('on purpose');` });

  const code = readFileSync(join(path, SERVER_BUNDLE), 'utf8');
  const map = JSON.parse(readFileSync(join(path, SERVER_MAP), 'utf8')) as SourceMapPayload;
  const before = code.slice(0, code.indexOf('new Error("on purpose")')).split('\n');
  const lines = readFileSync(join(clone, PAGE), 'utf8').split('\n').length;
  expect(new SourceMap(map).findEntry(before.length - 1, before.at(-1)?.length ?? 0)).toMatchObject({
    originalSource: 'src/pages/reset-success-page.tsx',
    // An index from 0, behind an empty line.
    originalLine: lines,
  });
  expect(map.sourcesContent).toBeUndefined();
  expect(map.sources.join()).not.toContain(folder);

  const { files } = readRelease(path);
  expect(Object.keys(files).filter((name) => name.endsWith('.map'))).toEqual([SERVER_MAP]);
  for (const name of Object.keys(files).filter((file) => /\.c?js$/.test(file)))
    expect(readFileSync(join(path, name), 'utf8'), name).not.toContain('sourceMappingURL');
});

test('a mistake in a unit and styles for pages of others stop a build, which names their file and line', async () => {
  const said = new PassThrough();
  const sheet = 'remotes/tools/src/features/encrypter/encrypt-form.module.css';
  const line = readFileSync(join(clone, sheet), 'utf8').split('\n').length + 2;
  const lines = { [PAGE]: 'const unfinished = <;', [sheet]: '.own h1,\n  body h1 { color: red }' };

  await expect(buildAfter(lines, said)).rejects.toThrow(/^tools could not be built$/);

  const words = stripVTControlCharacters(await text(said.end()));
  expect(words).toContain('reset-success-page.tsx');
  expect(words).toContain('const unfinished = <;');
  expect(words).toContain(`src/features/encrypter/encrypt-form.module.css:${String(line)}:3: body h1 styles the page`);
});

test.each(['postcss.config.mjs', '.babelrc'])('a build with %s stops, because nothing would read it', async (name) => {
  const said = new PassThrough();
  const file = join(clone, 'remotes/tools', name);
  writeFileSync(file, '');
  try {
    await expect(buildAfter({}, said)).rejects.toThrow(/^tools could not be built$/);
  } finally {
    rmSync(file);
  }

  expect(await text(said.end())).toContain(`${name}: not used, because this build runs no PostCSS`);
});

test('an unknown unit is not built, and the command says so without a stack', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build-release.ts', 'unknown', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^No unit has the folder remotes\/unknown\. There are .*\n$/);
});

test('the shell gives every remote of the working copy what it imports', () => {
  const releases = listUnitFolders(ROOT).map((unit) => readRelease(builtFolder(basename(unit))));
  const [shell, ...remotes] = releases;

  expect(remotes.length).toBeGreaterThan(3);
  for (const { unit, contract } of remotes) {
    expect(Object.keys(contract.requires ?? {}), `${unit} was built before: npm run build`).toContain('@app/platform');
    expect(shell && findHostApiProblem(shell.contract, contract), unit).toBeUndefined();
  }
});

test('each release of the working copy lists a file with the licences of the packages in it', () => {
  const texts = listUnitFolders(ROOT).map((unit) => {
    const path = builtFolder(basename(unit));
    expect(readRelease(path).files, unit).toHaveProperty([THIRD_PARTY_NOTICES]);
    return readFileSync(join(path, THIRD_PARTY_NOTICES), 'utf8');
  });

  expect(texts[0]).toMatch(/^react-dom \d.*, MIT\n\nMIT License/m);
  expect(texts.slice(1).join()).not.toMatch(/^react-dom /m);
});

test('units have no class name in common, because a page may contain all of them', () => {
  const perFolder = listUnitFolders(ROOT).map((unit) => [...listClassNames(builtFolder(basename(unit)))]);

  for (const names of perFolder) expect(names.length).toBeGreaterThan(50);
  expect(new Set(perFolder.flat()).size).toBe(perFolder.flat().length);
});

test('a class has another name once its stylesheet has changed: a page may contain two versions of it', async () => {
  const sheet = 'remotes/tools/src/features/encrypter/encrypt-form.module.css';
  const before = listClassNames(first);
  const after = listClassNames(await buildAfter({ [sheet]: '/* another */' }));

  const renamed = [...after].filter((name) => !before.has(name));
  const classes = new Set(readFileSync(join(original, sheet), 'utf8').match(/(?<=\.)[a-z][\w-]*(?=[^;]*\{)/gi));
  expect(renamed).toHaveLength(classes.size);
});

test('of a release with one changed word only the entry and the files with the word have other names', async () => {
  const next = readRelease(await buildAfter({ [PAGE]: "console.log('one word');" }, undefined, '0.1.1'));

  const [before, after] = [readRelease(first), next].map(({ files }) =>
    Object.keys(files).filter((name) => HASHED_NAME.test(name)),
  );
  expect(after?.filter((name) => !before?.includes(name))).toEqual([
    next.entry.file,
    expect.stringMatching(/^static\/js\/reset-success-page\./),
  ]);
  expect(after?.length).toBeGreaterThan(15);
});

/** Builds tools in the clone after lines were added to some of its files, and others replaced. */
async function buildAfter(lines: Record<string, string>, output?: Writable, version = '0.1.0'): Promise<string> {
  const manifest = 'remotes/tools/package.json';
  const before = [manifest, ...Object.keys(lines)].map(
    (file) => [file, readFileSync(join(clone, file), 'utf8')] as const,
  );
  for (const [file, source] of before) {
    const after = file === manifest ? source.replace('"0.1.0"', `"${version}"`) : `${source}\n${lines[file]}`;
    writeFileSync(join(clone, file), after);
  }
  try {
    return await buildRelease('tools', join(folder, 'changed'), { root: clone, ...(output && { output }) });
  } finally {
    for (const [file, source] of before) writeFileSync(join(clone, file), source);
  }
}

/** The class names of the stylesheets of a release that are hashes. */
function listClassNames(path: string): Set<string> {
  const css = listFiles(path).filter((name) => name.endsWith('.css'));
  const names = css.flatMap((name) => [...readFileSync(join(path, name), 'utf8').matchAll(/\.(_[\w-]{6})(?![\w-])/g)]);
  return new Set(names.map(([, name = '']) => name));
}

/** Links the installed npm packages into a copy. Our own packages are those of the copy. */
function linkPackages(copy: string): void {
  const packages = join(copy, 'node_modules');
  mkdirSync(join(packages, '@app'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@app') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
  for (const name of readdirSync(join(copy, 'shared')))
    symlinkSync(join('../../shared', name), join(packages, '@app', name));
}

function builtFolder(unit: string): string {
  const versions = readdirSync(join(ROOT, 'dist', unit)).filter((name) => !name.startsWith('.'));
  return join(ROOT, 'dist', unit, versions[0] ?? '');
}

function readRelease(path: string): Release {
  return JSON.parse(readFileSync(join(path, 'release.json'), 'utf8')) as Release;
}

function listFiles(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)))
    .sort();
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}
