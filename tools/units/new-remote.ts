import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesAloneOf, filesOf } from './new-remote-files.ts';
import { packAll } from './pack.ts';
import { run } from '../machine/run.ts';
import { folderOfUnit } from '../build/units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** As the registry has them, without those whose paths belong to the server. */
const NAME = /^(?!(?:shell|api|releases|dev)$)(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const USAGE = `Usage: npm run release -- new <unit> [folder]

Makes a remote in remotes/<unit>; with a folder, in a repository of its own there. The name of a unit consists of
lower-case words with hyphens between them.`;

/**
 * Makes a remote with one page, its words and its tests, in the style of the others.
 * @param unit such as `news`; it becomes the name of the folder, and its page is `/news`
 * @param root the folder of the product
 * @returns the files, relative to the root
 * @throws Error when the name is none, or is taken
 */
export function makeRemote(unit: string, root = ROOT): string[] {
  checkName(unit);
  const folder = folderOfUnit(unit);
  if (existsSync(join(root, folder))) throw new Error(`${folder} exists already`);

  return write(join(root, folder), filesOf(unit)).map((name) => `${folder}/${name}`);
}

/**
 * Makes a remote in a repository of its own. It is built with the packages that `scripts/pack.ts` makes.
 * @param folder the folder of the repository
 * @returns the files, relative to it
 * @throws Error when the name is none, or the repository has a package
 */
export function makeRemoteAlone(unit: string, folder: string): string[] {
  checkName(unit);
  if (existsSync(join(folder, 'package.json'))) throw new Error(`${folder} has a package.json already`);

  return write(folder, { ...filesOf(unit), ...filesAloneOf(unit) });
}

function checkName(unit: string): void {
  if (!NAME.test(unit))
    throw new Error(`${unit} is no name of a unit: write lower-case words with hyphens between them`);
}

function write(folder: string, files: Record<string, string>): string[] {
  return Object.entries(files).map(([name, text]) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    return name;
  });
}

/** `npm run release -- new news` makes a remote and says what to do next. With a folder, in a repository of its own. */
export async function runNewRemote([unit = '', folder]: readonly string[]): Promise<void> {
  if (unit === '' || unit.startsWith('-')) {
    const isAsked = unit === '-h' || unit === '--help';
    console[isAsked ? 'log' : 'error'](USAGE);
    process.exitCode = isAsked ? 0 : 2;
    return;
  }
  if (folder === undefined) await makeHere(unit);
  else await makeAlone(unit, folder);
}

async function makeHere(unit: string): Promise<void> {
  const files = makeRemote(unit);
  // So that the lock file names the new package.
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--silent'], {
    cwd: ROOT,
  });
  await run('node_modules/.bin/prettier', ['--write', '--log-level=warn', folderOfUnit(unit)], { cwd: ROOT });
  console.log(`Made:
${listOf(files)}

Next:
  npm run dev                 see /${unit}; each edit appears in the open page
  npm run check && npm run unit -- remotes/${unit}
  npm run release -- unit add ${unit} --paths /${unit} "/${unit}/*"
                              an operator of the site types this once, and makes a token for the team
  npm run release -- publish ${unit} --to https://… --promote`);
}

async function makeAlone(unit: string, folder: string): Promise<void> {
  const files = makeRemoteAlone(unit, folder);
  const packs = await packAll(join(folder, 'packs'));
  console.log(`Made in ${folder}:
${listOf([...files, ...packs.map((pack) => `packs/${basename(pack)}`)])}

Next, in that folder:
  npm install ./packs/*.tgz react react-dom
  npm test
  npm run build               the release is in dist/${unit}/0.1.0`);
}

function listOf(files: readonly string[]): string {
  return files.map((file) => `  ${file}`).join('\n');
}
