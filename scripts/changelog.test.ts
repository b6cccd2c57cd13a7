import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeChanges } from './changelog.ts';

const folder = mkdtempSync(join(tmpdir(), 'changelog-'));
const original = join(folder, 'original');
mkdirSync(join(original, 'docs/decisions'), { recursive: true });
git('init', '--quiet');
decide('007-sockets.md', '# 7. Sockets', '2026-01-31');
decide('008-keys.md', '# 008 Keys', '2026-02-01');
// A later change of a decision leaves its day.
decide('007-sockets.md', '# 7. Sockets close in waves', '2026-03-01');
writeFileSync(join(original, 'docs/decisions/009-mail.md'), '# 009 Mail\n');

afterAll(() => rmSync(folder, { recursive: true }));

test('decisions are listed by months, newest first, with the day on which each came', () => {
  const [, ...months] = describeChanges(original, '2026-03-02').split('\n\n');

  expect(months).toEqual([
    '## 2026-03\n- 2026-03-02: [Mail](docs/decisions/009-mail.md)',
    '## 2026-02\n- 2026-02-01: [Keys](docs/decisions/008-keys.md)',
    '## 2026-01\n- 2026-01-31: [Sockets close in waves](docs/decisions/007-sockets.md)\n',
  ]);
});

test('a history that is cut off gives no days', () => {
  const shallow = join(folder, 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${original}`, shallow]);

  expect(() => describeChanges(shallow, '2026-03-02')).toThrow('git fetch --unshallow');
});

test('CHANGELOG.md names every decision: npm run changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');

  expect(readdirSync('docs/decisions').filter((file) => !changelog.includes(`(docs/decisions/${file})`))).toEqual([]);
});

function decide(file: string, heading: string, day: string): void {
  writeFileSync(join(original, 'docs/decisions', file), `${heading}\n\nText of ${day}.\n`);
  git('add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@host'];
  git(...author, 'commit', '--quiet', '--message=Decide', `--date=${day}T12:00:00Z`);
}

function git(...args: string[]): void {
  execFileSync('git', ['-C', original, ...args]);
}
