import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { previewOf, readCommit } from './read-commit.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-commit-'));
const INPUTS = ['remotes/tools', 'shared'] as const;
const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@host'];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(folder, 'root-'));
  git(root, 'init', '--quiet', '--initial-branch=main');
  commit('remotes/tools/package.json', 'remotes/marketing/package.json', 'shared/words.ts');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('the commit of a unit is the last one that changed its own folder or what all units share', () => {
  const own = commit('remotes/tools/page.ts');
  expect(readCommit(root, INPUTS)).toBe(own);

  commit('remotes/marketing/page.ts');
  commit('remotes/tools/page.test.ts');
  expect(readCommit(root, INPUTS)).toBe(own);

  expect(readCommit(root, INPUTS)).not.toBe(commit('shared/words.ts'));
  expect(readCommit(root, INPUTS)).toBe(head());
});

test('after branches with changes of a unit were merged, its commit is the merge', () => {
  git(root, 'checkout', '--quiet', '-b', 'side');
  commit('remotes/tools/side.ts');
  git(root, 'checkout', '--quiet', 'main');
  commit('shared/words.ts');
  git(root, ...IDENTITY, 'merge', '--quiet', '--no-edit', 'side');
  const merge = head();
  commit('remotes/marketing/page.ts');

  expect(readCommit(root, INPUTS)).toBe(merge);
});

test('uncommitted changes give no commit, except those of other units and tests', () => {
  const own = head();
  write('remotes/marketing/package.json');
  write('shared/words.test.ts');
  expect(readCommit(root, INPUTS)).toBe(own);

  write('shared/new.ts');
  expect(readCommit(root, INPUTS)).toBeNull();
});

test('where a shallow clone ends before that commit, RELEASE_COMMIT says it', () => {
  commit('remotes/marketing/page.ts');
  const clone = shallowClone();
  expect(readCommit(clone, INPUTS)).toBeNull();

  vi.stubEnv('RELEASE_COMMIT', 'said');
  expect(readCommit(clone, INPUTS)).toBe('said');
});

test('a shallow clone that reaches that commit knows it', () => {
  const own = commit('remotes/tools/page.ts');
  vi.stubEnv('RELEASE_COMMIT', 'said');

  expect(readCommit(shallowClone('--depth=2'), INPUTS)).toBe(own);
});

test('where git keeps no history of the unit, RELEASE_COMMIT says its commit', () => {
  const bare = mkdtempSync(join(folder, 'bare-'));
  expect(readCommit(bare, INPUTS)).toBeNull();

  vi.stubEnv('RELEASE_COMMIT', 'said');
  expect(readCommit(bare, INPUTS)).toBe('said');
});

test('a preview is named for its commit, so it cannot be built of what is not committed', () => {
  expect(previewOf('0.1.0', '0a1b2c3d4e5f'.padEnd(40, '0'))).toBe('0.1.0-preview.0a1b2c3d4e5f');
  expect(() => previewOf('0.1.0', null)).toThrow('A preview is named for its commit: commit what you changed');
});

/** Changes files, and returns the commit with it. */
function commit(...files: string[]): string {
  files.forEach(write);
  git(root, 'add', '--all');
  git(root, ...IDENTITY, 'commit', '--quiet', '--message=Change');
  return head();
}

let writes = 0;

function write(file: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), String(++writes));
}

function head(): string {
  return git(root, 'rev-parse', 'HEAD');
}

function shallowClone(depth = '--depth=1'): string {
  const clone = mkdtempSync(join(folder, 'clone-'));
  git(folder, 'clone', '--quiet', depth, `file://${root}`, clone);
  return clone;
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}
