import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DECISIONS = readdirSync('docs/decisions')
  .filter((file) => /^\d+-.*\.md$/.test(file))
  .sort();

test('every decision that a source or a page names has a file', () => {
  const numbers = new Set(DECISIONS.map((file) => String(Number.parseInt(file, 10))));

  expect(grep('decisions? [0-9]{1,3}').filter((found) => !numbers.has(lastWord(found)))).toEqual([]);
  expect(grep('\\b[0-9]{3}-[a-z0-9-]+\\.md').filter((found) => !DECISIONS.includes(lastWord(found)))).toEqual([]);
});

test('a decision shares a word with its file name, and has at most 200 words', () => {
  const wrong = DECISIONS.filter((file) => {
    const text = readFileSync(`docs/decisions/${file}`, 'utf8');
    const [heading = ''] = text.split('\n');
    const title = heading.toLowerCase().split(/[^a-z0-9]+/);
    const shared = file
      .split(/[-.]/)
      .slice(1, -1)
      .filter((word) => word.length > 2 && title.includes(word));
    return shared.length === 0 || text.split(/\s+/).filter((word) => /\w/.test(word)).length > 200;
  });

  expect(wrong).toEqual([]);
});

test('a link names the number of the decision to which it leads', () => {
  const links = grep('\\[(decision )?[0-9]+\\]\\([^)]*[0-9]{3}-[a-z0-9-]+\\.md');

  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((found) => !/\[(?:decision )?(\d+)\]\([^)]*?0*\1-[a-z]/i.test(found))).toEqual([]);
});

/** Every match in a tracked file, after the file's name. */
function grep(pattern: string): string[] {
  const files = ['.', ':!tools/checks/decisions.test.ts', ':!package-lock.json'];
  return execFileSync('git', ['grep', '-ioE', pattern, '--', ...files], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

function lastWord(found: string): string {
  return found.split(/[ :]/).at(-1) ?? '';
}
