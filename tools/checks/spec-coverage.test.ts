import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findUntruths } from './spec-coverage.ts';

const FILES: Record<string, string> = {
  'shell/src/start.tsx': '',
  'shell/src/a.test.ts':
    "test('a page starts', () => {});\ntest.each([])('the page of %s starts in $place', () => {});\ntest(`when ${name} breaks, it says so`, () => {});",
};

test('every file and test that docs/spec-coverage.md names exists, and its counts match its rows', () => {
  const page = readFileSync('docs/spec-coverage.md', 'utf8');

  expect(findUntruths(page, (path) => (existsSync(path) ? readText(path) : undefined))).toEqual([]);
});

test.each([
  ['a title', "'a page starts'"],
  ['two titles and a note', "'a page starts', 'the page of %s starts in $place' (in 'both' windows)"],
  ['the title of one case', "'the page of V5 starts in time'"],
  ['the title of one turn of a loop', "'when its entry breaks, it says so'"],
])('%s that the file has is found', (_what, titles) => {
  expect(untruthsOf('`shell/src/start.tsx`', `\`shell/src/a.test.ts\` ${titles}`)).toEqual([]);
});

test.each([
  [
    'a file that is gone',
    '`shell/src/gone.tsx`',
    "`shell/src/a.test.ts` 'a page starts'",
    '1.1: shell/src/gone.tsx does not exist',
  ],
  [
    'a test file that is gone',
    '`shell/src/start.tsx`',
    "`shell/src/gone.test.ts` 'a page starts'",
    '1.1: shell/src/gone.test.ts does not exist',
  ],
  [
    'a renamed test',
    '`shell/src/start.tsx`',
    "`shell/src/a.test.ts` 'a page begins'",
    "1.1: shell/src/a.test.ts has no test 'a page begins'",
  ],
  [
    'the beginning of a title',
    '`shell/src/start.tsx`',
    "`shell/src/a.test.ts` 'a page'",
    "1.1: shell/src/a.test.ts has no test 'a page'",
  ],
])('%s is named with its row', (_what, livesIn, heldBy, sentence) => {
  expect(untruthsOf(livesIn, heldBy)).toEqual([sentence]);
});

test('counts that differ from the rows are named, with those of the rows', () => {
  expect(findUntruths(pageOf('| 1 | 1 | 0 | 0 |', '`shell/src/start.tsx`', '—'), (path) => FILES[path])).toEqual([]);
  expect(findUntruths(pageOf('| 1 | 0 | 0 | 0 |', '`shell/src/start.tsx`', '—'), (path) => FILES[path])).toEqual([
    'The rows give the counts | 1 | 1 | 0 | 0 |, the head of the page has others',
  ]);
});

function untruthsOf(livesIn: string, heldBy: string): string[] {
  return findUntruths(pageOf('| 1 | 1 | 1 | 0 |', livesIn, heldBy), (path) => FILES[path]);
}

function pageOf(counts: string, livesIn: string, heldBy: string): string {
  return `# Specification coverage\n\n| Rows | Built | Held by a test | Left open |\n|---|---|---|---|\n${counts}\n\n| 1.1 | A page | ${livesIn} | ${heldBy} |\n`;
}

function readText(path: string): string {
  return statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8');
}
