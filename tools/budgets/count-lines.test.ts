import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countLines, findTooLong } from './count-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'count-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('lines of code and of tests are counted by folder, and a folder with too many is named', () => {
  const files = {
    'api/src/a.ts': 'a\nb\n',
    'api/src/a.test.ts': 'a\n',
    'api/src/test/help.ts': 'a\n',
    'api/src/page.css': 'a\n',
    'findings/a.mjs': 'a\n',
    'knip.ts': 'a\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--all'], { cwd: folder });

  const counts = countLines(folder);

  expect(Object.fromEntries(counts)).toEqual({ api: { product: 2, tests: 2 }, '.': { product: 1, tests: 0 } });
  expect(findTooLong(counts, { api: { product: 1, tests: 2, reason: 'as it was' } })).toEqual([
    { folder: 'api', kind: 'product', budget: 1, now: 2 },
    { folder: '.', kind: 'product', budget: 0, now: 1 },
  ]);
});
