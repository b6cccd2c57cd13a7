import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What every target of the build is made of, besides its own folder. */
export const COMMON_INPUTS = [
  'shared',
  'samples',
  'translations',
  'tools/build',
  'rspack.config.base.ts',
  'package-lock.json',
];

/**
 * Lists the folders of the units: the shell, and each folder in `remotes` that has a build of its own.
 * @param root the folder of the product
 */
export function listUnitFolders(root = '.'): string[] {
  const remotes = readdirSync(join(root, 'remotes'))
    .map((name) => `remotes/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'rspack.config.ts')));
  return ['shell', ...remotes.sort()];
}

/** The folder of a unit, from the name by which the registry knows it. */
export function folderOfUnit(unit: string): string {
  return unit === 'shell' ? 'shell' : `remotes/${unit}`;
}
