import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { collectNotices } from './third-party-notices-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'notices-'));

afterAll(() => rmSync(folder, { recursive: true }));

test('each version of a package is named once, sorted, with all its texts; our own packages are left out', () => {
  const zebra = addPackage('zebra', '1.0.0', 'MIT', { LICENSE: 'Zebra\r\n(c) Z\r\n', 'index.js': '' });
  const older = addPackage('zebra/node_modules/@scope/ape', '0.9.0', '(GPL-2.0 OR ISC)', { 'license.md': 'Old ape' });
  const ape = addPackage('@scope/ape', '2.0.0', 'Apache-2.0', { NOTICE: 'By apes', LICENCE: 'Ape' });
  const ours = addPackage('@app/platform', '0.1.0', 'UNLICENSED', {});

  const notices = collectNotices([
    join(zebra, 'index.js'),
    join(zebra, 'lib/deep.js'),
    join(older, 'index.js'),
    join(ape, 'index.js'),
    join(ours, 'src/index.ts'),
    '/product/shell/src/start.tsx',
  ]);

  const listed = notices.split(/\n-{80}\n\n/).filter((notice) => !notice.startsWith('@rspack/core '));
  expect(listed).toEqual([
    '@scope/ape 0.9.0, (GPL-2.0 OR ISC)\n\nOld ape\n',
    '@scope/ape 2.0.0, Apache-2.0\n\nApe\n\nBy apes\n',
    'zebra 1.0.0, MIT\n\nZebra\n(c) Z\n',
  ]);
});

test('a notice of what no package brings is added', () => {
  const font = join(folder, 'LICENSE.txt');
  writeFileSync(font, 'Font 1.0, OFL-1.1\n\n(c) F\n');

  expect(collectNotices([], [font])).toMatch(/-{80}\n\nFont 1\.0, OFL-1\.1\n\n\(c\) F\n$/);
});

test('the runtime of the bundler is in every build, so its notice is, too', () => {
  expect(collectNotices([])).toMatch(/^@rspack\/core \d.*, MIT\n\nMIT License/);
});

test('a licence that is not agreed, a package without one, and one without its text are refused by name', () => {
  const closed = addPackage('closed', '1.0.0', 'GPL-3.0', { LICENSE: 'All of it' });
  const silent = addPackage('silent', '1.0.0', undefined, { LICENSE: 'Something' });
  const empty = addPackage('empty', '1.0.0', 'MIT', {});

  expect(() => collectNotices([join(closed, 'index.js')])).toThrow('closed 1.0.0 is under GPL-3.0');
  expect(() => collectNotices([join(silent, 'index.js')])).toThrow('silent 1.0.0 is under no licence');
  expect(() => collectNotices([join(empty, 'index.js')])).toThrow('empty 1.0.0 has no text of its licence, MIT');
});

/** Adds an installed package. Returns its folder. */
function addPackage(path: string, version: string, license: string | undefined, files: Record<string, string>): string {
  const place = join(folder, 'node_modules', path);
  mkdirSync(place, { recursive: true });
  const name = path.replace(/^.*node_modules\//, '');
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version, license }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
  return place;
}
