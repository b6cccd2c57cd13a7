import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withProgress } from '../../api/src/ops/progress.ts';
import { BuildError, RSPACK } from './build-outdated.ts';
import { runAndKeep } from '../machine/run.ts';
import { folderOfUnit, listUnitFolders } from '../build/units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the release of one unit from its own folder, with the version of its package.json; that of a preview also names
 * the commit. It never touches `dist`.
 * @param unit the unit's name, such as `shell` or `key-system`
 * @param outFolder the release is built into `<outFolder>/<unit>/<version>`
 * @param options the folder of the product, where the build says what it says, and whether it is a preview
 * @returns the folder of the release, as an absolute path
 * @throws BuildError when no unit has this name, or its build fails
 */
export async function buildRelease(
  unit: string,
  outFolder: string,
  {
    root = ROOT,
    output = process.stdout,
    isPreview = false,
  }: { root?: string; output?: NodeJS.WritableStream; isPreview?: boolean } = {},
): Promise<string> {
  const folder = folderOfUnit(unit);
  const known = listUnitFolders(root);
  if (!known.includes(folder)) throw new BuildError(`No unit has the folder ${folder}. There are ${known.join(', ')}`);

  const { version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string };
  const { isOk } = await withProgress(`Building ${unit}`, () =>
    runAndKeep(process.execPath, [join(root, RSPACK), 'build'], {
      cwd: join(root, folder),
      // Without the settings of the builds that are no releases.
      env: {
        ...process.env,
        RELEASE_VERSION: undefined,
        RELEASE_PREVIEW: isPreview ? '1' : undefined,
        DEV_UPDATES_URL: undefined,
        RELEASE_OUT: resolve(outFolder),
      },
      isBeside: true,
      output,
    }),
  );
  if (!isOk) throw new BuildError(`${unit} could not be built`);
  if (!isPreview) return resolve(outFolder, unit, version);
  const [built = ''] = readdirSync(resolve(outFolder, unit)).filter((name) => name.startsWith(`${version}-preview.`));
  return resolve(outFolder, unit, built);
}
