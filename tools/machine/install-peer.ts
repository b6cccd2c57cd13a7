import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from './run.ts';

/** npm writes what it has installed here, when it is done. */
const INSTALLED = 'node_modules/.package-lock.json';

/**
 * Installs a program that only the bench or the soak plays with, unless this version of it is there already. It gets a folder
 * outside the workspaces, so that neither `npm ci` nor the tests need it. Rejects when npm fails.
 * @param release its name and exact version, such as `socket.io@4.8.4`; several with a space between them
 * @returns the absolute path of the folder that has its node_modules
 */
export async function installPeer(release: string): Promise<string> {
  const folder = resolve('dist/.peers', release.replaceAll(/[ /]/g, '+'));
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  if (!existsSync(`${folder}/${INSTALLED}`)) await run('npm', ['install', ...options, ...release.split(' ')]);
  return folder;
}
