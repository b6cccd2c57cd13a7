import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Row {
  number: string;
  livesIn: string;
  heldBy: string;
}

/** Matches the files and test titles in a cell. A text in parentheses is a note and matches without a group. */
const NAMED = /`([^`]+)`|'([^']+)'|\([^)]*\)/g;

/** The first argument of `test('…')`, `test.each(…)('…')` and the like. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g;

/** The placeholders for the values of a test's cases, in an escaped title. */
const VALUE = /\\\$\\\{.*?\\\}|%[a-z]|\\\$\w+/g;

const OF_THE_PROJECT = /^(api|docs|e2e|remotes|samples|scripts|shared|shell|tools)\//;

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

/**
 * Finds errors in docs/spec-coverage.md: files and tests that do not exist, and counts that do not match the rows.
 * @param page the text of docs/spec-coverage.md
 * @param read gives the text of a file, an empty text for a folder, and undefined for a path that does not exist
 * @returns a sentence for each error
 */
function findUntruths(page: string, read: (path: string) => string | undefined): string[] {
  const rows = page.split('\n').flatMap(readRow);

  return [...checkCounts(page, rows), ...rows.flatMap((row) => checkRow(row, read))];
}

function readRow(line: string): Row[] {
  const [number = '', , livesIn = '', heldBy = ''] = line.slice(2, -2).split(' | ');
  return /^\d+\.\d+$/.test(number) ? [{ number, livesIn, heldBy }] : [];
}

function checkCounts(page: string, rows: readonly Row[]): string[] {
  const open = rows.filter(({ livesIn }) => livesIn === 'left open').length;
  const built = rows.filter(({ livesIn }) => livesIn.startsWith('`')).length;
  const held = rows.filter(({ heldBy }) => heldBy.startsWith('`')).length;

  const head = `| ${rows.length} | ${built} | ${held} | ${open} |`;
  return page.includes(`\n${head}\n`) ? [] : [`The rows give the counts ${head}, the head of the page has others`];
}

function checkRow({ number, livesIn, heldBy }: Row, read: (path: string) => string | undefined): string[] {
  const problems: string[] = [];
  let file = '';

  for (const [, path, title] of `${livesIn} ${heldBy}`.matchAll(NAMED)) {
    if (path && OF_THE_PROJECT.test(path)) file = path;

    const text = read(file);
    if (path === file && text === undefined) problems.push(`${number}: ${file} does not exist`);
    if (title && text !== undefined && !hasTest(text, title))
      problems.push(`${number}: ${file} has no test '${title}'`);
  }
  return problems;
}

function hasTest(text: string, wanted: string): boolean {
  for (const [, single, double, template] of text.matchAll(TITLE)) {
    const title = (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1');
    if (title === wanted || patternOf(title).test(wanted)) return true;
  }
  return false;
}

function patternOf(title: string): RegExp {
  return new RegExp(`^${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(VALUE, '.+')}$`);
}
