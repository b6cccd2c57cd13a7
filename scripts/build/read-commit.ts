import { execFileSync } from 'node:child_process';

/**
 * The commit that a unit is built from.
 * @param root the folder of the product
 * @param inputs the files and folders that the unit is made of, its own folder first
 * @returns null when one of them has changes that are not committed. Where git keeps no history of the unit, what
 *   RELEASE_COMMIT says, or null
 */
export function readCommit(root: string, inputs: readonly [string, ...string[]]): string | null {
  try {
    git(root, ['ls-files', '--error-unmatch', `${inputs[0]}/package.json`]);
  } catch {
    return process.env['RELEASE_COMMIT'] ?? null;
  }
  return git(root, ['status', '--porcelain', '--', ...inputs]) === '' ? git(root, ['rev-parse', 'HEAD']) : null;
}

function git(root: string, args: readonly string[]): string {
  // Without the lock, builds side by side do not hinder each other.
  const command = ['--no-optional-locks', '-C', root, ...args];
  return execFileSync('git', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
