import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { measureRoutes } from './measure-routes.ts';

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
  for (const [name, size] of Object.entries(files)) write(join(dist, unit, '1.0.0', name), 'x'.repeat(size));
  write(join(dist, unit, '1.0.0', 'release.json'), JSON.stringify(release));
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

test('a page needs the shell, and what its line names, each as it travels', () => {
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
