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

/** What the release of the shell contains for units in repositories of their own is made of these. */
const PACKED_INPUTS = [
  'tools/packs',
  'tools/against',
  'tools/lint',
  'api/src/ops/release',
  'api/src/ops/command.ts',
  'api/src/ops/command-line.ts',
  'api/src/ops/format.ts',
  'api/src/ops/options.ts',
  'api/src/ops/progress.ts',
  'api/src/delivery/store',
  'deploy/ci',
  'package.json',
  'tsconfig.base.json',
  '.oxlintrc.json',
];

/** What a target of the build is made of besides the common inputs, its own folder first. */
export function inputsOf(folder: string): [string, ...string[]] {
  return folder === 'shell' ? [folder, ...PACKED_INPUTS] : [folder];
}

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

export function folderOfUnit(unit: string): string {
  return unit === 'shell' ? 'shell' : `remotes/${unit}`;
}
