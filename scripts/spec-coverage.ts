/** A row of docs/spec-coverage.md. */
interface Row {
  number: string;
  livesIn: string;
  heldBy: string;
}

/** Files and titles in a cell, in their order; what stands in brackets is a note. */
const NAMED = /`([^`]+)`|'([^']+)'|\([^)]*\)/g;

/** The first argument of `test('…')`, `test.each(…)('…')` and the like. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g;

/** What stands for the values of a test's cases. */
const VALUE = /\\\$\\\{.*?\\\}|%[a-z]|\\\$\w+/g;

const OF_THE_PROJECT = /^(api|docs|e2e|remotes|samples|scripts|shared|shell)\//;

/**
 * What the page says that is not so, in sentences: files and tests that do not exist, and counts that its rows do not give.
 * @param page the text of docs/spec-coverage.md
 * @param read gives the text of a file, empty for a folder, undefined where there is none
 */
export function findUntruths(page: string, read: (path: string) => string | undefined): string[] {
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
