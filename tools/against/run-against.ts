import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { serveUntilTold } from './dev-alone.ts';
import { folderOfUnit, listUnitFolders } from '../build/units.ts';

const USAGE = 'Usage: npm run dev -- <unit> --against <site>, such as npm run dev -- key-system --against https://…';

/**
 * `npm run dev -- <unit> --against <site>`: serves the site's pages with this one unit from the working copy, until it is
 * told to end.
 * @returns the exit code: 0 ended, 1 not possible, 2 wrongly typed
 */
export async function runAgainst(args: string[]): Promise<number> {
  const typed = readArgs(args);
  if (!typed) {
    console.error(USAGE);
    return 2;
  }

  const { unit, against } = typed;
  const folder = folderOfUnit(unit);
  const known = listUnitFolders();
  if (!known.includes(folder)) {
    console.error(`There is no unit ${unit} here. There are: ${known.map((path) => basename(path)).join(', ')}`);
    return 1;
  }

  try {
    await serveUntilTold({
      unit,
      against,
      config: new URL(`../../${folder}/rspack.config.ts`, import.meta.url),
    });
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

function readArgs(args: string[]): { unit: string; against: string } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { against: { type: 'string' } },
      allowPositionals: true,
    });
    const [unit, ...rest] = positionals;
    if (!unit || rest.length > 0 || !/^https?:\/\//.test(values.against ?? '')) return undefined;
    return { unit, against: new URL(values.against ?? '').origin };
  } catch {
    return undefined;
  }
}
