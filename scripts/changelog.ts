import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DECISIONS = 'docs/decisions';

const INTRODUCTION = `# Changes
Every decision in force, by the day on which it was taken; [the index](${DECISIONS}/README.md) also lists merged and
dropped ones. Written by \`npm run changelog\`: do not edit.
`;

interface Decision {
  file: string;
  day: string;
  title: string;
}

/**
 * Lists the decisions of a repository by months.
 * @param root the folder of the repository
 * @param today the day of a decision that is not committed yet
 * @throws Error when the history is cut off: git would take its first commit for the one that added all that is older
 */
export function describeChanges(root: string, today: string): string {
  if (git(root, 'rev-parse', '--is-shallow-repository').trim() === 'true')
    throw new Error('The history is cut off here, so days are not known: git fetch --unshallow');

  const days = readDays(root);
  const decisions = readdirSync(join(root, DECISIONS))
    .filter((file) => /^\d+-.*\.md$/.test(file))
    .map((file) => ({ file, day: days.get(numberOf(file)) ?? today, title: readTitle(join(root, DECISIONS, file)) }))
    .sort((a, b) => b.day.localeCompare(a.day) || b.file.localeCompare(a.file));
  const months = Map.groupBy(decisions, ({ day }) => day.slice(0, 'YYYY-MM'.length));

  return [INTRODUCTION, ...[...months].map(([month, ofMonth]) => `## ${month}\n${ofMonth.map(lineOf).join('')}`)].join(
    '\n',
  );
}

function lineOf({ file, day, title }: Decision): string {
  return `- ${day}: [${title}](${DECISIONS}/${file})\n`;
}

/** The day on which each number was committed first, under any name. A merge may have added it, too (-m). */
function readDays(root: string): Map<string, string> {
  const days = new Map<string, string>();
  let day = '';
  const log = git(root, 'log', '-m', '--no-renames', '--diff-filter=A', '--name-only', '--format=%as', '--', DECISIONS);
  for (const line of log.split('\n').filter(Boolean)) {
    const number = line.startsWith(DECISIONS) ? numberOf(line.slice(DECISIONS.length + 1)) : undefined;
    if (number === undefined) day = line;
    else if (day < (days.get(number) ?? '9')) days.set(number, day);
  }
  return days;
}

function numberOf(file: string): string {
  return file.slice(0, file.indexOf('-'));
}

/** The heading without its number. */
function readTitle(path: string): string {
  const [heading = ''] = readFileSync(path, 'utf8').split('\n');
  return heading.replace(/^# *\d*\.? */, '');
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync('CHANGELOG.md', describeChanges('.', new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)));
