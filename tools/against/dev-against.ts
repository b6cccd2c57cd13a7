import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Configuration, rspack, type Stats } from '@rspack/core';
import * as v from 'valibot';
import { releaseSchema } from '../../shared/contracts/src/release.ts';
import type { Resolution } from '../../shared/contracts/src/resolution.ts';
import { SHELL } from '../../shared/contracts/src/unit.ts';
import { WORKING_COPY } from '../../shared/contracts/src/working-copy.ts';
import { folderOfUnit, listUnitFolders } from '../build/units.ts';
import { type EditedUnit, findIncompatibility, readResolution, SOURCE_MAPS } from './edited-unit.ts';
import { serveEdited } from './serve-edited.ts';
import { openSite } from './site.ts';

const LOOPBACK = '127.0.0.1';

const USAGE = 'Usage: npm run dev -- <unit> --against <site>, such as npm run dev -- key-system --against https://…';

interface Options {
  unit: string;
  against: string;
}

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

  const folder = folderOfUnit(typed.unit);
  const known = listUnitFolders();
  if (!known.includes(folder)) {
    console.error(`There is no unit ${typed.unit} here. There are: ${known.map((path) => basename(path)).join(', ')}`);
    return 1;
  }

  try {
    await devAgainst(typed, new URL(`../../${folder}/rspack.config.ts`, import.meta.url));
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

function readArgs(args: string[]): Options | undefined {
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

/**
 * Serves the pages of a site with the unit in the folder where the command runs, until it is told to end.
 * @throws Error that says why the site cannot be worked with
 */
export function devAlone(options: Options): Promise<void> {
  return devAgainst(options, pathToFileURL('rspack.config.ts'));
}

/** @param configFile has the unit's Rspack configurations, the one for browsers last */
async function devAgainst({ unit, against }: Options, configFile: URL): Promise<void> {
  // The config reads it.
  process.env['RELEASE_VERSION'] = WORKING_COPY;

  const resolution = await readSite(against);
  const edited: EditedUnit = { unit, version: WORKING_COPY, folder: mkdtempSync(join(tmpdir(), `edited-${unit}-`)) };
  const portOf = () => (server.address() as AddressInfo).port;
  const site = openSite(against, () => `http://localhost:${portOf()}`);
  const { default: configs } = (await import(configFile.href)) as { default: Configuration[] };
  const config = configs.at(-1) ?? {};
  const { server, tell } = serveEdited({
    site,
    edited,
    resolution,
    context: config.context ?? '',
    say: console.log,
  });

  let isFirst = true;
  const stopWatching = await new Promise<() => Promise<void>>((resolve) => {
    const stop = watchUnit(config, edited, resolution, (ms) => {
      console.log(edited.problem ?? `Built ${unit} in ${ms} ms`);
      if (isFirst) resolve(stop);
      else tell();
      isFirst = false;
    });
  });
  await once(server.listen(Number(process.env['PORT'] ?? 0), LOOPBACK), 'listening');
  console.log(`Ready on http://localhost:${portOf()}: the pages of ${against}, with ${unit} from here`);
  if (unit !== SHELL)
    console.log(`Or point ${against}/qa at port ${portOf()}: its own pages then have ${unit} from here`);

  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  await stopWatching();
  server.close().closeAllConnections();
  site.close();
  rmSync(edited.folder, { recursive: true });
}

async function readSite(origin: string): Promise<Resolution> {
  const html = await fetch(origin, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(20_000) }).then(
    (response) => response.text(),
    (error: Error) => {
      const { cause = error } = error;
      throw new Error(`${origin} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
    },
  );
  const resolution = readResolution(html);
  if (!resolution) throw new Error(`${origin} is not a site of these units: its home page names no versions of them.`);
  return resolution;
}

/**
 * Builds the edited unit as a release, and again after each edit. Notes in `edited` what came of it. A failed build
 * leaves the last good one in place.
 * @param resolution what the site serves; a build that does not fit it is not shown
 * @param onBuilt called after each build, with how long it took
 * @returns how to stop
 */
function watchUnit(
  config: Configuration,
  edited: EditedUnit,
  resolution: Resolution,
  onBuilt: (ms: number) => void,
): () => Promise<void> {
  const compiler = rspack({
    ...config,
    dependencies: [],
    devtool: 'source-map',
    // Edits of shared packages, which are links, are noticed below their real paths.
    resolve: { ...config.resolve, symlinks: true },
    output: { ...config.output, path: edited.folder, sourceMapFilename: `${SOURCE_MAPS}/[file].map` },
  });

  function note(stats: Stats): void {
    edited.problem = stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : undefined;
    if (edited.problem !== undefined) return;

    const path = join(edited.folder, 'release.json');
    const release = existsSync(path) ? v.parse(releaseSchema, JSON.parse(readFileSync(path, 'utf8'))) : undefined;
    edited.problem = release ? findIncompatibility(resolution, release) : 'The build wrote no release.json.';
    edited.release = edited.problem === undefined ? release : undefined;
  }

  const watching = compiler.watch(compiler.options.watchOptions, (error, stats) => {
    if (error) edited.problem = error.message;
    else if (stats) note(stats);
    onBuilt((stats?.endTime ?? 0) - (stats?.startTime ?? 0));
  });

  return () =>
    new Promise((resolve) => {
      watching?.close(() => resolve());
    });
}
