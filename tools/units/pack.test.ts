import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { releaseSchema } from '../../shared/contracts/src/release.ts';
import { installPacks } from './install-packs.ts';
import { makeRemoteAlone } from './new-remote.ts';
import { packAll } from './pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'alone-'));
let packs: string[];

beforeAll(async () => {
  packs = await packAll(join(folder, 'packs'));
  makeRemoteAlone('news', folder);
  installPacks(folder, packs);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the shared packages and the build preset are packed, without tests', () => {
  expect(packs.map((pack) => basename(pack).replace(/-\d.*/, ''))).toEqual([
    'app-brand-ui',
    'app-build-preset',
    'app-contracts',
    'app-design-system',
    'app-platform',
    'app-testing',
  ]);
  const files = readdirSync(join(folder, 'node_modules/@app'), { recursive: true, encoding: 'utf8' });
  expect(files).toContain('platform/src/index.ts');
  expect(files.filter((file) => file.includes('.test.'))).toEqual([]);
});

test('with the packs alone, the tests of a unit run in a repository of its own', () => {
  execFileSync('npm', ['test', '--silent', '--', '--reporter=json', '--outputFile=report.json'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...WITHOUT_VITEST },
  });

  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
    success: true,
    numPassedTests: 2,
  });
});

test('with the packs alone, a unit builds a release in a repository of its own', () => {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ...CLEAN },
  });
  const release = v.parse(
    releaseSchema,
    JSON.parse(readFileSync(join(folder, 'dist/news/0.1.0/release.json'), 'utf8')),
  );

  expect(release).toMatchObject({
    unit: 'news',
    version: '0.1.0',
    contract: { requires: { '@app/platform': ['defineWords'] } },
    routes: [{ path: '/news' }],
  });
});

/** What this run of Vitest tells its own children. */
const WITHOUT_VITEST = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => name.startsWith('VITEST'))
    .map((name) => [name, undefined]),
);

/** Settings of other builds. */
const CLEAN = { RELEASE_VERSION: undefined, RELEASE_OUT: undefined, DEV_UPDATES_URL: undefined };
