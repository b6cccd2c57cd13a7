import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkName, filesOf } from '../packs/unit-files.ts';
import { run } from '../machine/run.ts';
import { folderOfUnit } from '../build/units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const USAGE = `Usage: npm run release -- new <unit>

Makes a remote in remotes/<unit>. The name of a unit consists of lower-case words with hyphens between them.
docs/teams.md says how a unit is made in a repository of its own.`;

/**
 * Makes a remote with one page, its words and its tests, in the style of the others.
 * @param unit such as `news`; it becomes the name of the folder, and its page is `/news`
 * @param root the folder of the product
 * @returns the files, relative to the root
 * @throws Error when the name is none, or is taken
 */
export function makeRemote(unit: string, root = ROOT): string[] {
  const problem = checkName(unit);
  if (problem) throw new Error(problem);
  const folder = folderOfUnit(unit);
  if (existsSync(join(root, folder))) throw new Error(`${folder} exists already`);

  return Object.entries(filesOf(unit)).map(([name, text]) => {
    const file = join(folder, name);
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    return file;
  });
}

/** `npm run release -- new news` makes a remote and says what to do next. */
export async function runNewRemote([unit = '', ...others]: readonly string[]): Promise<void> {
  if (unit === '' || unit.startsWith('-') || others.length > 0) {
    const isAsked = unit === '-h' || unit === '--help';
    console[isAsked ? 'log' : 'error'](USAGE);
    process.exitCode = isAsked ? 0 : 2;
    return;
  }
  const files = makeRemote(unit);
  // So that the lock file names the new package.
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--silent'], {
    cwd: ROOT,
  });
  await run('node_modules/.bin/prettier', ['--write', '--log-level=warn', folderOfUnit(unit)], { cwd: ROOT });
  console.log(`Made:
${files.map((file) => `  ${file}`).join('\n')}

Next:
  npm run dev                 see /${unit}; each edit appears in the open page
  npm run check && node scripts/launch.mjs vitest run remotes/${unit}
  npm run release -- unit add ${unit} --paths /${unit} "/${unit}/*"
                              an operator of the site types this once, and makes a token for the team
  npm run release -- publish ${unit} --to https://… --promote`);
}
