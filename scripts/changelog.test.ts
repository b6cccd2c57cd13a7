import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeChanges } from './changelog.ts';

const DECISIONS = readdirSync('docs/decisions')
  .filter((file) => /^\d+-.*\.md$/.test(file))
  .sort();

const folder = mkdtempSync(join(tmpdir(), 'changelog-'));
const original = join(folder, 'original');
mkdirSync(join(original, 'docs/decisions'), { recursive: true });
git('init', '--quiet');
decide('007-sockets.md', '# 7. Sockets', '2026-01-31');
decide('008-keys.md', '# 008 Keys', '2026-02-01');
// Neither a later change nor a new name of a decision changes its day.
decide('007-sockets.md', '# 7. Sockets close in waves', '2026-03-01');
renameSync(join(original, 'docs/decisions/007-sockets.md'), join(original, 'docs/decisions/007-waves.md'));
decide('007-waves.md', '# 7. Sockets close in waves', '2026-03-01');
writeFileSync(join(original, 'docs/decisions/009-mail.md'), '# 009 Mail\n');

afterAll(() => rmSync(folder, { recursive: true }));

test('decisions are listed by months, newest first, with the day on which each came', () => {
  const [, ...months] = describeChanges(original, '2026-03-02').split('\n\n');

  expect(months).toEqual([
    '## 2026-03\n- 2026-03-02: [Mail](docs/decisions/009-mail.md)',
    '## 2026-02\n- 2026-02-01: [Keys](docs/decisions/008-keys.md)',
    '## 2026-01\n- 2026-01-31: [Sockets close in waves](docs/decisions/007-waves.md)\n',
  ]);
});

test('a history that is cut off gives no days', () => {
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${original}`, shallow]);

  expect(() => describeChanges(shallow, '2026-03-02')).toThrow('git fetch --unshallow');
});

test('CHANGELOG.md names every decision: npm run changelog', () => {
  const links = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/\(docs\/decisions\/(\d[^)]*)\)/g)];

  expect(links.map(([, file = '']) => file).sort()).toEqual(DECISIONS);
});

test('the index of the decisions has the title and the status of each, and no link to a file that is gone', () => {
  const linked = readFileSync('docs/decisions/README.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ \| \[/.test(line))
    .map((line) => line.split(' | ').slice(0, 3).join(' | '));

  expect(linked).toEqual(DECISIONS.map(describeInIndex));
});

test('every decision that the index, a source or a page names has a file', () => {
  const supersedes = [...readFileSync('docs/decisions/README.md', 'utf8').matchAll(/ superseded by (\d+) /g)];
  const numbers = new Set(DECISIONS.map((file) => String(Number.parseInt(file, 10))));

  expect(supersedes.map(([, number = '']) => number).filter((number) => !numbers.has(number))).toEqual([]);
  expect(grep('decisions? [0-9]{1,3}').filter((found) => !numbers.has(lastWord(found)))).toEqual([]);
  expect(grep('\\b[0-9]{3}-[a-z0-9-]+\\.md').filter((found) => !DECISIONS.includes(lastWord(found)))).toEqual([]);
});

test('a link names the number of the decision to which it leads', () => {
  const links = grep('\\[(decision )?[0-9]+\\]\\([^)]*[0-9]{3}-[a-z0-9-]+\\.md');

  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((found) => !/\[(?:decision )?(\d+)\]\([^)]*?0*\1-[a-z]/i.test(found))).toEqual([]);
});

/** The beginning of a decision's line in the index. */
function describeInIndex(file: string): string {
  const [heading = '', status = ''] = readFileSync(`docs/decisions/${file}`, 'utf8').split('\n');
  const [, number, title] = /^# (\d+)\. (.+)$/.exec(heading) ?? [];
  return `| ${number} | [${title}](${file}) | ${status.replace('Status: ', '')}`;
}

/** Every match in a tracked file, after the file's name. */
function grep(pattern: string): string[] {
  const files = ['.', ':!scripts/changelog.test.ts', ':!package-lock.json'];
  return execFileSync('git', ['grep', '-ioE', pattern, '--', ...files], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

function lastWord(found: string): string {
  return found.split(/[ :]/).at(-1) ?? '';
}

function decide(file: string, heading: string, day: string): void {
  writeFileSync(join(original, 'docs/decisions', file), `${heading}\n\nText of ${day}.\n`);
  git('add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@host'];
  git(...author, 'commit', '--quiet', '--message=Decide', `--date=${day}T12:00:00Z`);
}

function git(...args: string[]): void {
  execFileSync('git', ['-C', original, ...args]);
}
