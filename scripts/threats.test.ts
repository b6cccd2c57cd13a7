import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A line of docs/threats.md: its number, and the test files in its last cell. */
const LINE = /^\| (\d+) \|.*\| ([^|]+) \|$/gm;

/** Where tests and the vectors of the samples say which threat they are about. */
const TITLE = /['"`]([^'"`\n]*\bthreat \d+[^'"`\n]*)/g;

const TESTS = /\.(test|spec)\.ts$|^samples\/.*\.mjs$/;

test('docs/threats.md names for every threat exactly the files whose tests are about it', () => {
  const page = readFileSync('docs/threats.md', 'utf8');
  const told = Object.fromEntries(
    [...page.matchAll(LINE)].map(([, number = '', files = '']) => [
      number,
      [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file),
    ]),
  );

  expect(told).toEqual(findTests());
});

/** The files that are about each threat, by what their titles say. */
function findTests(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').sort();

  for (const file of files.filter((name) => TESTS.test(name) && name !== 'scripts/threats.test.ts')) {
    const titles = [...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, title = '']) => title);
    const numbers = new Set(
      titles.flatMap((title) => [...title.matchAll(/\bthreat (\d+)/g)].map(([, number = '']) => number)),
    );
    for (const number of numbers) (found[number] ??= []).push(file);
  }
  return found;
}
