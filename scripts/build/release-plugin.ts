import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Compiler, RspackPluginInstance, Stats } from '@rspack/core';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import type { Release, Unit } from '../../shared/contracts/src/release.ts';
import { findPageProblems } from './check-pages.ts';
import { compress } from './compress.ts';
import { isEdited, readRoutesAnew } from './editing.ts';

interface ReleasePluginOptions {
  unit: Unit;
  version: string;
  globalName?: string;
  contract: Release['contract'];
  /** The pages of the unit. Each has a chunk with its name. */
  routes: Routes;
}

/**
 * Writes release.json beside the files that it describes. It is written last, by a rename, and the files of an earlier
 * build are removed after it. So a reader finds either the old release or the new one, never a mixture. In the build of
 * `npm run dev` nothing is removed, because open pages still fetch older updates.
 */
export class ReleasePlugin implements RspackPluginInstance {
  readonly #options: ReleasePluginOptions;

  constructor(options: ReleasePluginOptions) {
    this.#options = options;
  }

  apply(compiler: Compiler): void {
    const folder = compiler.options.output.path ?? '';

    if (isEdited) {
      compiler.hooks.done.tapPromise('ReleasePlugin', async (stats) => {
        try {
          const routes = await readRoutesAnew(this.#options.unit, compiler.context);
          writeRelease(folder, describeRelease({ ...this.#options, routes }, folder, stats));
        } catch (error) {
          compiler.getInfrastructureLogger('release').error(error instanceof Error ? error.message : error);
        }
      });
      return;
    }

    compiler.hooks.done.tap('ReleasePlugin', (stats) => {
      if (stats.hasErrors()) return;

      const names = assetsOf(stats);
      const compressed = names.flatMap((name) => compress(join(folder, name)).map((path) => relative(folder, path)));
      writeRelease(folder, describeRelease(this.#options, folder, stats));
      removeOthers(folder, new Set([...names, ...compressed, 'release.json']));
    });
  }
}

function writeRelease(folder: string, release: Release): void {
  writeFileSync(join(folder, 'release.json.part'), `${JSON.stringify(release, null, 2)}\n`);
  renameSync(join(folder, 'release.json.part'), join(folder, 'release.json'));
}

function assetsOf({ compilation }: Stats): string[] {
  return compilation.getAssets().map(({ name }) => name);
}

function describeRelease(options: ReleasePluginOptions, folder: string, stats: Stats): Release {
  const names = assetsOf(stats);
  const { namedChunkGroups: groups = {} } = stats.toJson({ all: false, chunkGroups: true });
  const { unit, version, globalName, contract, routes } = options;
  const problems = findPageProblems(unit, routes);
  if (problems.length > 0) throw new Error(problems.join('\n'));

  const files = Object.fromEntries(
    names.map((name) => {
      const bytes = readFileSync(join(folder, name));
      return [name, { sha384: createHash('sha384').update(bytes).digest('base64'), bytes: bytes.length }];
    }),
  );

  const filesOf = (group: string): string[] => {
    const found = groups[group];
    if (!found) throw new Error(`${unit}: no chunk is named "${group}"; give its import that webpackChunkName`);
    return (found.assets ?? []).map((asset) => asset.name).filter((name) => !isDifference(name));
  };

  const unitFiles = filesOf(unit === 'shell' ? 'shell' : 'remote');
  const entry = unit === 'shell' ? unitFiles.find(isScript) : names.find((name) => name.startsWith('remoteEntry.'));
  const entryFile = entry && files[entry];
  if (!entryFile) throw new Error(`${unit}: the build gave no entry`);

  return {
    unit,
    version,
    commit: null,
    contract,
    entry: { file: entry, integrity: `sha384-${entryFile.sha384}`, ...(globalName ? { globalName } : {}) },
    css: unitFiles.filter(isStylesheet),
    routes: Object.entries(routes).map(([path, { page, ...said }]) => {
      // In the build of `npm run dev` files change after this, so pages preload nothing.
      if (isEdited) return { path, ...said, preload: [], css: [] };

      const needed = [...new Set([entry, ...unitFiles, ...filesOf(page)])];
      return { path, ...said, preload: needed.filter(isScript), css: needed.filter(isStylesheet) };
    }),
    files,
  };
}

function removeOthers(folder: string, keep: ReadonlySet<string>): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile() && !keep.has(relative(folder, path))) rmSync(path);
  }
}

/** Whether a file is a hot update. Open pages fetch it after an edit; a new page does not need it. */
function isDifference(name: string): boolean {
  return name.includes('.hot-update.');
}

function isScript(name: string): boolean {
  return name.endsWith('.js');
}

function isStylesheet(name: string): boolean {
  return name.endsWith('.css');
}
