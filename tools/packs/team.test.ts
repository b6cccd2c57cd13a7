import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseSchema } from '../../shared/contracts/src/release.ts';
import { dieWithParent } from '../machine/die-with-parent.mjs';
import { installPacks } from './install-packs.ts';
import { makePacks } from './make-packs.ts';

const folder = mkdtempSync(join(tmpdir(), 'team-'));
const unit = join(folder, 'news');
const tools = join(folder, 'tools');
const bin = join(tools, 'node_modules/@app/release/bin.js');

const REFUSAL = {
  type: 'about:blank',
  title: 'Refused',
  status: 403,
  code: 'release.other_unit',
  detail: 'Not yours.',
  retryable: false,
  ref: 'r',
  now: 0,
};
let packs: Record<string, string> = {
  '@app/platform': '/releases/shell/packs/platform.11111111.tgz',
  '@app/release': '/releases/shell/packs/release.22222222.tgz',
};
const asked: { method: string; url: string; token: string | undefined }[] = [];
let server: Server;
let site: string;
/** The tarball of the tool that the site lists. */
let newestTool: Buffer | undefined;
/** Where nothing listens. */
let dead: string;

/** A site that gives packs, and refuses all else. */
beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url !== '/api/packs')
      asked.push({ method: req.method ?? '', url: req.url ?? '', token: req.headers.authorization });
    if (req.url === packs['@app/release']) return void res.end(newestTool);
    const isPacks = req.url === '/api/packs';
    res.writeHead(isPacks ? 200 : 403, { 'content-type': 'application/json' });
    req.resume().on('end', () => res.end(JSON.stringify(isPacks ? { packs } : REFUSAL)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  dead = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  closed.close();
  mkdirSync(unit);
  newestTool = (await makePacks()).find(({ name }) => name === 'release')?.bytes;
  await installPacks(tools);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('a unit is made in an empty folder, with all that a repository needs', async () => {
  const { code, out } = await type('new', 'news', '--from-site', site);

  expect(code, out).toBe(0);
  expect(readdirSync(unit).sort()).toEqual([
    '.editorconfig',
    '.github',
    '.gitignore',
    '.npmrc',
    '.nvmrc',
    '.oxlintrc.json',
    '.prettierignore',
    '.prettierrc.json',
    'README.md',
    'package.json',
    'rspack.config.ts',
    'src',
    'tsconfig.json',
    'vitest.config.ts',
  ]);
  const manifest = readManifest();
  expect(manifest).toMatchObject({ name: 'news', version: '0.1.0', private: true, site });
  expect(manifest.devDependencies['@app/platform']).toBe(`${site}/releases/shell/packs/platform.11111111.tgz`);
  expect(manifest.devDependencies['vitest']).toMatch(/^\^\d/);
  expect(readFileSync(join(unit, '.github/workflows/publish.yml'), 'utf8')).toContain(`SITE: ${site}\n`);
});

test('an old tool that npx has kept lets the newest one of the site make the unit', async () => {
  asked.length = 0;
  const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
  // As npm 12 has it, which refuses packages by address unless it is told.
  const settings = {
    RELEASE_TOOL: undefined,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_allow_remote: 'none',
  };
  const made = await run(process.execPath, [bin, 'new', 'news', '--from-site', site], elsewhere, settings);

  expect(made.code, made.err).toBe(0);
  expect(asked).toContainEqual({ method: 'GET', url: packs['@app/release'], token: undefined });
  expect(existsSync(join(elsewhere, 'src/pages/start-page.tsx'))).toBe(true);
  const refused = await run(process.execPath, [bin, 'new', 'N', '--from-site', site], elsewhere, settings);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('N is no name of a unit') as string });
});

test('new refuses a folder that has files of the same names', async () => {
  const before = readFileSync(join(unit, 'package.json'), 'utf8');
  const again = await type('new', 'other', '--from-site', site);

  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('This folder has package.json') as string });
  expect(readFileSync(join(unit, 'package.json'), 'utf8')).toBe(before);
  expect(existsSync(join(unit, 'src/pages/other-page.tsx'))).toBe(false);
});

test.each([
  [['new', 'News', '--from-site', 'SITE'], 2, 'News is no name of a unit'],
  [['new', 'news'], 2, "required option '--from-site <address>' not specified"],
  [['new', 'news', '--from-site', 'site.example'], 2, '--from-site is the address of a site'],
  [['new', 'news', '--from-site', 'SITE', '--ci', 'jenkins'], 2, '--ci is github or gitlab'],
  [['new', 'news', '--from-site', 'DEAD'], 1, 'Nothing answers at http://127.0.0.1:'],
  [['list'], 2, 'Name the site: --to, or "site" in package.json'],
  [['dev'], 2, 'There is no unit here'],
  [['update'], 2, 'There is no unit here'],
  [['token', 'create', 'news', '--for', 'me'], 2, "unknown command 'token'"],
])('in an empty folder %j is refused with a sentence', async (words, code, sentence) => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  const typed = await typeIn(empty, ...words.map((word) => word.replace('SITE', site).replace('DEAD', dead)));

  expect(typed).toMatchObject({ code, err: expect.stringContaining(sentence) as string });
  expect(readdirSync(empty)).toEqual([]);
});

test('a package.json with a wrong site is named, and nothing is asked', async () => {
  const wrong = mkdtempSync(join(folder, 'wrong-'));
  writeFileSync(join(wrong, 'package.json'), '{ "name": "news", "version": "0.1.0", "site": "site.example" }');

  expect(await typeIn(wrong, 'list')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^"site" in package\.json is the address of a site/) as string,
  });
});

test('with the packs alone its types, lint, format and tests are right', async () => {
  await installPacks(unit);

  expect(await run('npm', ['run', '--silent', 'check'])).toMatchObject({ code: 0 });
  expect(await run('npm', ['test', '--silent', '--', '--reporter=json', '--outputFile=report.json'])).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(readFileSync(join(unit, 'report.json'), 'utf8'))).toMatchObject({
    success: true,
    numPassedTests: 2,
  });
});

test('the linter knows the rules of pages', async () => {
  const page = join(unit, 'src/pages/start-page.tsx');
  const source = readFileSync(page, 'utf8');
  writeFileSync(page, `${source}\nexport const Two = ({ is }: { is: boolean }) => <p>{is ? 'Yes' : 'No'} so</p>;\n`);
  const { code, out } = await run('node_modules/.bin/oxlint', []);
  writeFileSync(page, source);

  expect(code, out).toBe(1);
  expect(out).toContain('give it an element of its own');
});

test('with the packs alone it builds a release, with the translations of what it contains', async () => {
  mkdirSync(join(unit, 'translations/vi'), { recursive: true });
  writeFileSync(join(unit, 'translations/vi/news.json'), '{"heading": "Tin tức"}');
  expect(await run('npm', ['run', '--silent', 'build'])).toMatchObject({ code: 0 });
  const built = join(unit, 'dist/news/0.1.0');
  const release = v.parse(releaseSchema, JSON.parse(readFileSync(join(built, 'release.json'), 'utf8')));

  expect(release).toMatchObject({
    unit: 'news',
    version: '0.1.0',
    // The second is for the site's styles in other hosts.
    contract: { requires: { '@app/platform': ['defineWords', 'useLocation'] } },
    routes: [{ path: '/news' }],
  });
  const texts = readFileSync(join(built, release.translations?.['vi']?.script ?? ''), 'utf8');
  expect(texts).toContain('news:{heading:["Tin tức"]}');
  expect(texts).toContain('"design-system":{');
});

test('a copy of the repository builds its own sources, also twice at once', async () => {
  const copy = join(folder, 'copy');
  cpSync(unit, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(unit, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'src/messages/en.json'), '{"heading": "Of the copy", "lead": "Here."}');
  const builds = await Promise.all(
    ['one', 'two'].map((name) => run('npm', ['run', '--silent', 'build'], copy, { RELEASE_OUT: join(copy, name) })),
  );

  for (const { code, out } of builds) expect(code, out).toBe(0);
  const [one, two] = ['one', 'two'].map((name) => readFileSync(join(copy, name, 'news/0.1.0/server.cjs'), 'utf8'));
  expect(one).toContain('Of the copy');
  expect(two).toBe(one);
});

test('the unit and the site of a command are those of package.json, and the token goes there alone', async () => {
  asked.length = 0;
  for (const words of [['promote', '0.1.0'], ['promote', 'news', '0.1.0'], ['rollback'], ['list'], ['publish']])
    expect(await type(...words), words.join(' ')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Not yours\.$/) as string,
    });

  const token = 'Bearer deploy_secret';
  const patch = { method: 'PATCH', url: '/api/channels/news', token };
  const put = { method: 'PUT', url: '/api/releases/news/0.1.0?', token };
  expect(asked).toEqual([patch, patch, patch, { method: 'GET', url: '/api/releases', token }, put]);
});

test('without a token a check asks the site what it tells everybody, and no command else begins', async () => {
  asked.length = 0;
  const stranger = { RELEASE_TOKEN: undefined };
  const checked = await run(process.execPath, [bin, 'check'], unit, stranger);
  const published = await run(process.execPath, [bin, 'publish'], unit, stranger);

  expect(checked).toMatchObject({ code: 1, err: expect.stringContaining(`${site} answers with status 403`) as string });
  expect(published).toMatchObject({ code: 2, err: expect.stringContaining('as RELEASE_TOKEN') as string });
  expect(asked).toEqual([{ method: 'GET', url: '/api/federation/resolution', token: undefined }]);
});

test('a preview is built under the name of its commit', async () => {
  asked.length = 0;
  const commit = '0a1b2c3d4e5f'.padEnd(40, '0');
  await run(process.execPath, [bin, 'publish', '--preview'], unit, { RELEASE_COMMIT: commit });

  expect(asked.map(({ url }) => url)).toEqual([
    expect.stringMatching(/^\/api\/releases\/news\/0\.1\.0-preview\.0a1b2c3d4e5f\?/),
  ]);
});

test('a site that is edited, or is of an earlier build, has no packs, and the command says so', async () => {
  const before = packs;
  packs = {};
  const empty = mkdtempSync(join(folder, 'empty-'));
  const made = await typeIn(empty, 'new', 'news', '--from-site', site);
  packs = before;

  expect(made).toMatchObject({ code: 1, err: expect.stringContaining(`${site} has no packs`) as string });
  expect(readdirSync(empty)).toEqual([]);
});

test('an update takes the newest packs of the site, and leaves the rest of package.json as it is', async () => {
  const before = readManifest();
  packs = { ...packs, '@app/platform': '/releases/shell/packs/platform.33333333.tgz' };

  expect((await type('update')).out).toContain('package.json names the newest @app/platform');
  const address = `${site}/releases/shell/packs/platform.33333333.tgz`;
  expect(readManifest()).toEqual({
    ...before,
    devDependencies: { ...before.devDependencies, '@app/platform': address },
  });
  expect((await type('update')).out).toBe(`These are the packages of ${site} already.`);
});

interface Manifest {
  name: string;
  devDependencies: Record<string, string>;
}

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(unit, 'package.json'), 'utf8')) as Manifest;
}

const type = (...words: string[]) => typeIn(unit, ...words);

function typeIn(cwd: string, ...words: string[]) {
  return run(process.execPath, [bin, ...words], cwd);
}

/** Runs a command as a person would in the folder of the unit. */
function run(command: string, args: string[], cwd = unit, settings: NodeJS.ProcessEnv = {}) {
  const env = Object.fromEntries(
    Object.entries({ ...process.env, RELEASE_TOKEN: 'deploy_secret', RELEASE_TOOL: packs['@app/release'] }).filter(
      ([name]) => !/^(VITEST|RELEASE_(VERSION|OUT)|DEV_UPDATES_URL|NODE_ENV)/.test(name),
    ),
  );
  const path = command.includes('/') ? resolve(cwd, command) : command;
  return new Promise<{ code: number; out: string; err: string }>((done) => {
    execFile(...dieWithParent(path, args), { cwd, env: { ...env, ...settings } }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), out: out.trim(), err: err.trim() }),
    );
  });
}
