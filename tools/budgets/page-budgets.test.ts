import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findOverruns, measureRoutes, MAX_SCRIPTS_KB, type Part, writeBudgets } from './page-budgets.ts';

let dist: string;
beforeEach(() => void (dist = mkdtempSync(join(tmpdir(), 'budgets-'))));
afterEach(() => rmSync(dist, { recursive: true }));

/** Writes files of a release, by name with their sizes, and its release.json. */
function build(unit: string, files: Readonly<Record<string, number>>, changes: object): void {
  const release = {
    unit,
    version: '1.0.0',
    commit: null,
    contract: { version: '1.0' },
    entry: { file: Object.keys(files)[0], integrity: 'sha384-x' },
    css: [],
    routes: [],
    files: {},
    ...changes,
  };
  const contents = Object.entries(files).map(([name, size]) => [name, 'x'.repeat(size)] as const);
  for (const [name, content] of [...contents, ['release.json', JSON.stringify(release)] as const]) {
    const path = join(dist, unit, '1.0.0', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

test('a page needs the shell and the files of its line in release.json, measured as they are compressed', () => {
  build(
    'shell',
    { 'static/js/shell.0123abcd.js': 900, 'static/js/shell.0123abcd.js.br': 300, 'static/css/shell.0123abcd.css': 50 },
    { css: ['static/css/shell.0123abcd.css'] },
  );
  const files = {
    'remoteEntry.0123abcd.js': 40,
    'static/js/a-page.0123abcd.js': 70,
    'static/css/a-page.0123abcd.css': 9,
  };
  const [entry = '', script = '', style = ''] = Object.keys(files);
  const texts = { title: '', shareTitle: 'A', description: 'A.', picture: 'v5', canonical: '/a' };
  build('tools', files, {
    entry: { file: entry, integrity: 'sha384-x', globalName: 'tools__1_0_0' },
    routes: [{ path: '/a', ...texts, preload: [entry, script], css: [style] }],
  });
  // What is no unit is not measured.
  mkdirSync(join(dist, 'api'));

  expect([...measureRoutes(dist)]).toEqual([
    [
      '/a',
      [
        { name: 'shell shell.js', kind: 'scripts', bytes: 300 },
        { name: 'shell shell.css', kind: 'styles', bytes: 50 },
        { name: 'tools remoteEntry.js', kind: 'scripts', bytes: 40 },
        { name: 'tools a-page.js', kind: 'scripts', bytes: 70 },
        { name: 'tools a-page.css', kind: 'styles', bytes: 9 },
      ],
    ],
  ]);
});

test('without a shell nothing can be measured', () => {
  expect(() => measureRoutes(dist)).toThrow('No shell has been built.');
});

const shell: Part = { name: 'shell shell.js', kind: 'scripts', bytes: 80_000 };
const page: Part = { name: 'tools page.js', kind: 'scripts', bytes: 6_000 };
const style: Part = { name: 'tools page.css', kind: 'styles', bytes: 2_000 };

function grown(part: Part, bytes: number): Part {
  return { ...part, bytes: part.bytes + bytes };
}

test('what was measured has room in its budget, and a page that grows by a kilobyte is told with what grew', () => {
  const budgets = writeBudgets(new Map([['/a', [shell, page, style]]]));

  expect(findOverruns(new Map([['/a', [shell, grown(page, 400), style]]]), budgets)).toEqual([]);
  expect(findOverruns(new Map([['/a', [grown(shell, 900), grown(page, 100), style]]]), budgets)).toEqual([
    { path: '/a', kind: 'scripts', budget: 86.5, now: 87, grew: 'shell shell.js +0.9, tools page.js +0.1' },
  ]);
});

test('styles have a budget of their own', () => {
  const budgets = writeBudgets(new Map([['/a', [shell, style]]]));
  const rows = findOverruns(new Map([['/a', [shell, grown(style, 600)]]]), budgets);
  expect(rows.map(({ kind, grew }) => [kind, grew])).toEqual([['styles', 'tools page.css +0.6']]);
});

test('a new page needs a budget', () => {
  const rows = findOverruns(new Map([['/new', [page]]]), writeBudgets(new Map()));
  expect(rows).toEqual([{ path: '/new', kind: 'scripts', budget: 0, now: 6, grew: 'tools page.js +6.0' }]);
});

test('no budget lets a page need more scripts than any page may', () => {
  const routes = new Map([['/a', [grown(shell, 1000 * MAX_SCRIPTS_KB)]]]);
  expect(findOverruns(routes, writeBudgets(routes))).toMatchObject([{ path: '/a', kind: 'scripts' }]);
});
