import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Matches a row of docs/threats.md: its number, and the test files in its last cell. */
const LINE = /^\| (\d+) \|.*\| ([^|]+) \|$/gm;

/** Matches a title with the number of a threat, in tests and in the vectors of the samples. */
const TITLE = /['"`]([^'"`\n]*\bthreat \d+[^'"`\n]*)/g;

const TESTS = /\.(test|spec)\.ts$|^samples\/.*\.mjs$/;

test('docs/threats.md names for every threat exactly the files whose tests are about it', () => {
  const page = readFileSync('docs/threats.md', 'utf8');
  const told = Object.fromEntries(
    [...page.matchAll(LINE)].map(([, number = '', files = '']) => [
      number,
      [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file).sort(),
    ]),
  );

  expect(told).toEqual(findTests());
});

/** The files whose titles name a threat, by its number. */
function findTests(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').sort();

  for (const file of files.filter((name) => TESTS.test(name) && name !== 'tools/checks/threats.test.ts')) {
    const titles = [...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, title = '']) => title);
    const numbers = new Set(
      titles.flatMap((title) => [...title.matchAll(/\bthreat (\d+)/g)].map(([, number = '']) => number)),
    );
    for (const number of numbers) (found[number] ??= []).push(file);
  }
  return found;
}
