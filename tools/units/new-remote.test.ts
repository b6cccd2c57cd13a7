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

  expect(files).toContain('remotes/news-tips/src/pages/news-tips-page.test.tsx');
  expect(JSON.parse(read('package.json'))).toMatchObject({ name: '@app/news-tips', version: '0.1.0', private: true });
  expect(read('rspack.config.ts')).toContain("defineRemote('news-tips', routes)");
  expect(read('src/routes.ts')).toContain("'/news-tips': {");
  expect(read('src/pages/news-tips-page.tsx')).toContain('export function NewsTipsPage()');
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
  print.mockRestore();
});
