import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../../run.ts';

const TEMPLATE = import.meta.dirname;
const FOLDER = 'dist/.peers';
const MANIFESTS = ['package.json', 'package-lock.json'] as const;
/** npm writes what it has installed here, when it is done. */
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Installs the tools that only `npm run bench -- peers` needs, unless the versions of the lock file are there already.
 * They get a folder outside the workspaces, so that neither `npm ci` nor the tests need them. Rejects when npm fails.
 * @returns the absolute path of the folder that has their node_modules
 */
export async function installPeers(): Promise<string> {
  const isCurrent =
    existsSync(join(FOLDER, INSTALLED)) &&
    MANIFESTS.every((name) => readFileSync(join(TEMPLATE, name)).equals(readFileSync(join(FOLDER, name))));
  if (!isCurrent) {
    mkdirSync(FOLDER, { recursive: true });
    for (const name of MANIFESTS) copyFileSync(join(TEMPLATE, name), join(FOLDER, name));
    await run('npm', ['ci', '--ignore-scripts', '--omit=peer', '--no-audit', '--no-fund'], { cwd: FOLDER });
  }
  return resolve(FOLDER);
}
