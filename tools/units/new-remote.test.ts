import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeRemote, runNewRemote } from './new-remote.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'new-remote-'));
  mkdirSync(join(root, 'remotes/tools'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

test('a new remote has the files of the others, with its name in them', () => {
  const files = makeRemote('news-tips', root);
  const read = (file: string) => readFileSync(join(root, 'remotes/news-tips', file), 'utf8');

  expect(files).toContain('remotes/news-tips/src/pages/start-page.test.tsx');
  expect(JSON.parse(read('package.json'))).toMatchObject({ name: '@app/news-tips', version: '0.1.0', private: true });
  expect(read('rspack.config.ts')).toContain("defineRemote('news-tips', routes)");
  expect(read('src/routes.ts')).toContain("'/news-tips': {");
  expect(read('src/pages/start-page.tsx')).toContain('export function StartPage()');
});

test('the files are as the formatter wants them, however long the name of the unit is', () => {
  const unit = 'market-place-of-used-and-of-new-things';
  const sources = makeRemote(unit, root).filter((file) => /\.tsx?$/.test(file));
  const unformatted = spawnSync(
    process.execPath,
    [
      'node_modules/prettier/bin/prettier.cjs',
      '--list-different',
      '--config',
      '.prettierrc.json',
      ...sources.map((file) => join(root, file)),
    ],
    { encoding: 'utf8' },
  );

  expect([unformatted.status, unformatted.stdout]).toEqual([0, '']);
});

test.each(['', 'News', 'news/tips', '../news', 'news--tips', '1news', 'shell', 'api', 'n'.repeat(41)])(
  '“%s” is no name of a unit',
  (name) => {
    expect(() => makeRemote(name, root)).toThrow('is no name of a unit');
  },
);

test('a remote that exists stays as it is', () => {
  expect(() => makeRemote('tools', root)).toThrow('remotes/tools exists already');
});

test.each([
  [[], 'error', 2],
  [['--folder'], 'error', 2],
  [['news', '../news'], 'error', 2],
  [['--help'], 'log', 0],
] as const)('new %j shows how it is typed', async (args, stream, code) => {
  const print = vi.spyOn(console, stream).mockReturnValue();
  await runNewRemote(args);

  expect(print).toHaveBeenCalledWith(expect.stringContaining('npm run release -- new <unit>'));
  expect(process.exitCode).toBe(code);
  process.exitCode = undefined;
});
