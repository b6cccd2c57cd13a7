/** A row of docs/spec-coverage.md. */
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

/**
 * Finds errors in docs/spec-coverage.md: files and tests that do not exist, and counts that do not match the rows.
 * @param page the text of docs/spec-coverage.md
 * @param read gives the text of a file, an empty text for a folder, and undefined for a path that does not exist
 * @returns a sentence for each error
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
