import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The build hashes no tests either (tools/units/build-units.ts). */
const NO_TESTS = ':(exclude)*.test.*';

const COMMIT_LETTERS = 12;

/**
 * Finds the last commit that changed what a unit is built from. So a later commit elsewhere leaves the release as it is.
 * @param root the folder of the product
 * @param inputs the files and folders that the unit is made of, its own folder first
 * @returns null when one of them has changes that are not committed. Where git does not have that commit (no
 *   repository, no git, or a shallow clone that ends before it), what RELEASE_COMMIT says, or null
 */
export function readCommit(root: string, inputs: readonly [string, ...string[]]): string | null {
  const given = process.env['RELEASE_COMMIT'] ?? null;
  try {
    git(root, ['ls-files', '--error-unmatch', `${inputs[0]}/package.json`]);
  } catch {
    return given;
  }
  const paths = ['--', ...inputs, NO_TESTS];
  if (git(root, ['status', '--porcelain', ...paths]) !== '') return null;

  const commit = git(root, ['rev-list', '--max-count=1', 'HEAD', ...paths]);
  return isShallow(root, commit) ? given : commit;
}

/**
 * The version of a preview, which names its commit, so that the builds of all branches differ.
 * @throws Error when it has none
 */
export function previewOf(version: string, commit: string | null): string {
  if (commit === null)
    throw new Error('A preview is named for its commit: commit what you changed, or set RELEASE_COMMIT without git.');
  return `${version}-preview.${commit.slice(0, COMMIT_LETTERS)}`;
}

/** Whether a shallow clone ends at a commit. Git then takes it for the one that added every file. */
function isShallow(root: string, commit: string): boolean {
  const list = resolve(root, git(root, ['rev-parse', '--git-path', 'shallow']));
  return existsSync(list) && readFileSync(list, 'utf8').split('\n').includes(commit);
}

function git(root: string, args: readonly string[]): string {
  // Without the lock, builds side by side do not hinder each other.
  const command = ['--no-optional-locks', '-C', root, ...args];
  return execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
