import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Stats } from '@rspack/core';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import { type HostApi, type Release, SERVER_BUNDLE, SERVER_MAP } from '../../shared/contracts/src/release.ts';
import { HOST_API_VERSION, SHELL, type Unit } from '../../shared/contracts/src/unit.ts';
import { findPageProblems } from './check-pages.ts';
import { findProvidedNames, findRequiredNames } from './host-api-names.ts';
import { isEdited } from './editing.ts';
import { versionOf } from './federation-manifest.ts';
import { findTranslations } from './translations-plugin.ts';
import { listFiles } from './write-release.ts';

export interface DescribedUnit {
  unit: Unit;
  version: string;
  commit: string | null;
  globalName?: string;
  /** The packages that the shell shares with the remotes. */
  sharedPackages: readonly string[];
  /** The pages of the unit. Each has a chunk with its name. */
  routes: Routes;
}

/**
 * Describes what was built into a folder.
 * @throws Error when a page of the unit has no chunk, or its line in `routes.ts` is not complete
 */
export function describeRelease(described: DescribedUnit, folder: string, stats: Stats): Release {
  const names = assetsOf(stats);
  const { namedChunkGroups: groups = {} } = stats.toJson({ all: false, chunkGroups: true });
  const { unit, version, commit, globalName, routes } = described;
  const problems = findPageProblems(unit, routes);
  if (problems.length > 0) throw new Error(problems.join('\n'));

  const forServer = [SERVER_BUNDLE, SERVER_MAP].filter((name) => existsSync(join(folder, name)));
  const files = listFiles(folder, [...names, ...forServer]);

  const filesOf = (group: string): string[] => {
    const found = groups[group];
    if (!found) throw new Error(`${unit}: no chunk is named "${group}"; give its import that webpackChunkName`);
    return (found.assets ?? []).map((asset) => asset.name).filter((name) => !isDifference(name));
  };

  const unitFiles = filesOf(unit === SHELL ? 'shell' : 'remote');
  const entry = unit === SHELL ? unitFiles.find(isScript) : names.find((name) => name.startsWith('remoteEntry.'));
  const entryFile = entry && files[entry];
  if (!entryFile) throw new Error(`${unit}: the build gave no entry`);

  const translations = findTranslations(names);
  return {
    unit,
    version,
    commit,
    contract: describeHostApi(described, stats),
    entry: {
      file: entry,
      integrity: `sha384-${entryFile.sha384}`,
      ...(globalName ? { globalName } : {}),
      ...(unit === SHELL && { fetchesTexts: true as const }),
    },
    css: unitFiles.filter(isStylesheet),
    routes: Object.entries(routes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { page, ...said }]) => {
        // In the build of `npm run dev` files change after this, so pages preload nothing.
        if (isEdited) return { path, ...said, preload: [], css: [] };

        const needed = [...new Set([entry, ...unitFiles, ...filesOf(page)])];
        return { path, ...said, preload: needed.filter(isScript), css: needed.filter(isStylesheet) };
      }),
    ...(translations && { translations }),
    files,
  };
}

/** The names of the files that a build made, sorted. */
export function assetsOf({ compilation }: Stats): string[] {
  return compilation
    .getAssets()
    .map(({ name }) => name)
    .sort();
}

function describeHostApi({ unit, sharedPackages }: DescribedUnit, { compilation }: Stats): HostApi {
  // React for development decides only when it runs what it exports.
  if (isEdited) return { version: HOST_API_VERSION };

  const names =
    unit === SHELL
      ? { provides: findProvidedNames(compilation, sharedPackages) }
      : { requires: findRequiredNames(compilation) };
  const packages = Object.keys(names.provides ?? names.requires);
  const { context } = compilation.compiler;
  return {
    version: HOST_API_VERSION,
    ...names,
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name, context)])),
  };
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
