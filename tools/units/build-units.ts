import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withProgress } from '../../api/src/ops/progress.ts';
import { lock } from '../machine/lock.ts';
import { runAndKeep } from '../machine/run.ts';
import { COMMON_INPUTS, folderOfUnit, inputsOf, listUnitFolders } from '../build/units.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A build that failed. What is wrong was printed by it; the launcher adds this message alone, without a stack of ours. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/**
 * Builds each target whose inputs have changed since its last build.
 * @param folders the folders of the targets; by default all units and the API. Each has its own Rspack config
 * @param output for what the builds say
 * @throws BuildError
 */
export async function buildOutdated(
  folders = [...listUnitFolders(), 'api'],
  output: NodeJS.WriteStream = process.stdout,
): Promise<void> {
  const common = hashOf(COMMON_INPUTS);
  const targets = folders.map((folder) => ({ folder, inputs: `${common} ${hashOf(inputsOf(folder))}` }));
  const findOutdated = () => targets.filter(({ folder, inputs }) => readStamp(folder) !== inputs);
  if (findOutdated().length === 0) return;

  const unlock = await lock('building');
  try {
    // Another command may have built them meanwhile.
    await buildAll(findOutdated(), output);
  } finally {
    unlock();
  }
}

async function buildAll(
  outdated: readonly { folder: string; inputs: string }[],
  output: NodeJS.WriteStream,
): Promise<void> {
  let done = 0;
  const next = outdated.values();
  const buildInTurn = async () => {
    for (const { folder, inputs } of next) {
      await build(folder, inputs, output);
      done += 1;
    }
  };
  await withProgress(
    'Building',
    () => Promise.all(Array.from({ length: availableParallelism() }, buildInTurn)),
    () => `${done} of ${outdated.length}`,
  );
}

async function build(folder: string, inputs: string, output: NodeJS.WriteStream): Promise<void> {
  const name = basename(folder);
  output.write(`Building ${name}\n`);
  const releaseVersion = `${readVersion(folder)}-dev.${createHash('sha256').update(inputs).digest('hex').slice(0, 12)}`;
  await runRspack('.', folder, { RELEASE_VERSION: releaseVersion }, output);
  if (name !== 'api') removeOthers(join('dist', name), releaseVersion);
  const stamp = stampOf(folder);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs);
}

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

  // Without the settings of the builds that are no releases.
  const settings = {
    RELEASE_VERSION: undefined,
    RELEASE_PREVIEW: isPreview ? '1' : undefined,
    DEV_UPDATES_URL: undefined,
    RELEASE_OUT: resolve(outFolder),
  };
  await withProgress(`Building ${unit}`, () => runRspack(root, folder, settings, output));
  const version = readVersion(join(root, folder));
  const name = isPreview
    ? readdirSync(resolve(outFolder, unit)).find((built) => built.startsWith(`${version}-preview.`))
    : version;
  return resolve(outFolder, unit, name ?? '');
}

/** Runs Rspack, which reads the config in its working directory. */
async function runRspack(
  root: string,
  folder: string,
  settings: NodeJS.ProcessEnv,
  output: NodeJS.WritableStream,
): Promise<void> {
  const { isOk } = await runAndKeep(
    process.execPath,
    [resolve(root, 'node_modules/@rspack/cli/bin/rspack.js'), 'build'],
    {
      cwd: join(root, folder),
      env: { ...process.env, ...settings },
      isBeside: true,
      output,
    },
  );
  if (!isOk) throw new BuildError(`${basename(folder)} could not be built`);
}

function readVersion(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

const stampOf = (folder: string) => join('dist', basename(folder), '.inputs');

function readStamp(folder: string): string | undefined {
  const stamp = stampOf(folder);
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

function removeOthers(folder: string, keep: string): void {
  for (const name of readdirSync(folder)) if (name !== keep) rmSync(join(folder, name), { recursive: true });
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(listFiles)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];

  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && name !== 'README.md' && !name.includes('.test.'))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
