import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FILES = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const PAGES = FILES.filter((file) => file.endsWith('.md') && file !== 'docs/spec-coverage.md');

/** A file of code in backticks, with as much of its path as the page needs. */
const NAMED = /`(\w[\w./-]*\.(?:tsx?|mjs))`/g;

test.each(PAGES)('the files of code that %s names exist', (page) => {
  const named = [...readFileSync(page, 'utf8').matchAll(NAMED)].map(([, file = '']) => file);

  expect(named.filter((name) => !FILES.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

test('the files that .env.example names exist', () => {
  const named = readFileSync('.env.example', 'utf8').match(/\bapi\/[\w./-]+\.(?:ts|json)/g) ?? [];

  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !FILES.includes(name))).toEqual([]);
});
