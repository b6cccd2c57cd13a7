import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Unit } from '../../shared/contracts/src/unit.ts';
import { folderOfUnit } from './units.ts';

/** The folder with `rspack.config.base.ts`. */
const here = fileURLToPath(new URL('../..', import.meta.url));

/** Whether this is the package that `scripts/pack.ts` makes. Then the unit is what lies where the command runs. */
export const isPacked = !existsSync(join(here, 'remotes'));

/** The folder that a build works in. */
export const root = isPacked ? process.cwd() : here;

const require = createRequire(import.meta.url);

/** The file of a loader in `tools/build`. In the package it is compiled. */
export function loaderFile(name: string): string {
  return join(import.meta.dirname, `${name}${extname(import.meta.filename)}`);
}

/** The folder of a unit, from the root. */
export function folderOf(unit: Unit): string {
  return isPacked ? '.' : folderOfUnit(unit);
}

/**
 * The version of the release that is built: `RELEASE_VERSION`, or the version in the unit's package.json. The commands
 * that serve the working copy set it, so that each state of the working copy is a release of its own.
 */
export function versionOf(unit: Unit): string {
  const { version } = require(join(root, folderOf(unit), 'package.json')) as { version: string };
  return process.env['RELEASE_VERSION'] ?? version;
}
