import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Unit } from '../../shared/contracts/src/unit.ts';
import { previewOf, readCommit } from './read-commit.ts';
import { COMMON_INPUTS, folderOfUnit, inputsOf } from './units.ts';

const here = fileURLToPath(new URL('../..', import.meta.url));

/** Whether this is the package of tools/packs. Then the unit is what lies where the command runs. */
const isPacked = !existsSync(join(here, 'remotes'));

/** The repository: this one, or the unit's own. */
export const repository = isPacked ? process.cwd() : here;

/**
 * The folder that a build works in. That of a unit of its own is laid out as this repository, with links to what there is:
 * ids and class names come from paths, so the same sources make the same bytes in both.
 */
export const root = isPacked ? join(repository, 'dist/.layout') : here;

/** The folders with translations, the unit's own first. The package has those that every unit contains. */
export const translations = [...new Set([repository, here])].map((folder) => join(folder, 'translations'));

const require = createRequire(import.meta.url);

/** The file of a loader in `tools/build`. Its path is in the ids of what it loads, so the layout has one of that name, too. */
export function loaderFile(name: string): string {
  const file = join(root, 'tools/build', `${name}.ts`);
  if (isPacked) {
    const { href } = pathToFileURL(join(import.meta.dirname, `${name}.js`));
    mkdirSync(dirname(file), { recursive: true });
    writeFileIfChanged(file, `export { default } from ${JSON.stringify(href)};\n`);
  }
  return file;
}

export function folderOf(unit: Unit): string {
  const folder = folderOfUnit(unit);
  if (isPacked) createUnitFolder(join(root, folder));
  return folder;
}

/** The settings of tools that change styles or code, and that no build here runs. */
const UNUSED_SETTINGS_PATTERN = /^(?:(?:postcss|tailwind|babel)\.config\.\w+|\.(?:postcss|babel|swc)rc(?:\.\w+)?)$/;

/**
 * Refuses settings that would be ignored in silence.
 * @throws Error that names them
 */
export function refuseUnusedSettings(unit: Unit): void {
  const folder = isPacked ? repository : join(root, folderOf(unit));
  const manifest = require(join(folder, 'package.json')) as object;
  const named = ['postcss', 'babel'].filter((name) => name in manifest).map((name) => `"${name}" in package.json`);
  const found = [...readdirSync(folder).filter((name) => UNUSED_SETTINGS_PATTERN.test(name)), ...named];
  if (found.length > 0)
    throw new Error(
      `${found.join(', ')}: not used, because this build runs no PostCSS, Tailwind, Babel or settings of SWC. Remove it, or build with a builder of your own and publish its folder.`,
    );
}

/** Where the sources of a unit are: laid out, and in truth. A build that watches for edits follows links. */
export function sourcesOf(unit: Unit): string[] {
  return [join(root, folderOf(unit)), ...(isPacked ? [join(repository, 'src')] : [])];
}

function createUnitFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  linkFolder(join(repository, 'node_modules'), join(root, 'node_modules'));
  for (const entry of readdirSync(repository, { withFileTypes: true })) {
    if (/^\.|^(node_modules|dist)$/.test(entry.name)) continue;
    const path = join(repository, entry.name);
    if (entry.isDirectory()) linkFolder(path, join(folder, entry.name));
    else writeFileIfChanged(join(folder, entry.name), readFileSync(path));
  }
}

/** Links a folder, also where a link of an earlier place of the repository is. */
function linkFolder(target: string, path: string): void {
  const isRight = () => existsSync(path) && realpathSync(path) === realpathSync(target);
  if (isRight()) return;
  rmSync(path, { force: true });
  try {
    // Everybody may make junctions on Windows, which are absolute. Other links survive a move of the repository.
    if (process.platform === 'win32') symlinkSync(target, path, 'junction');
    else symlinkSync(relative(dirname(path), target), path);
  } catch (error) {
    // Another build has made it meanwhile.
    if (!isRight()) throw error;
  }
}

/** Writes a file whole, unless it is there: others may build at the same time. */
function writeFileIfChanged(file: string, content: string | Buffer): void {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  const part = `${file}.${String(process.pid)}`;
  writeFileSync(part, content);
  renameSync(part, file);
}

export function commitOf(unit: Unit): string | null {
  return readCommit(repository, isPacked ? ['.'] : [...inputsOf(folderOf(unit)), ...COMMON_INPUTS]);
}

/**
 * The version of the release that is built: `RELEASE_VERSION`, or the version in the unit's package.json. The commands
 * that serve the working copy set it, so that each state of the working copy is a release of its own. With
 * `RELEASE_PREVIEW` it is that of a preview.
 * @throws Error when a preview has no commit
 */
export function versionOf(unit: Unit): string {
  const { version } = require(join(root, folderOf(unit), 'package.json')) as { version: string };
  const given = process.env['RELEASE_VERSION'];
  if (given !== undefined || process.env['RELEASE_PREVIEW'] === undefined) return given ?? version;
  return previewOf(version, commitOf(unit));
}
