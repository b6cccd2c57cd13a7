import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Compilation, Compiler, Dependency, Module, ModuleGraph, Stats } from '@rspack/core';
import { titleOf } from '../../shared/contracts/src/document.ts';
import { ALL_MEMBERS } from '../../shared/contracts/src/host-api-fit.ts';
import type { Routes } from '../../shared/contracts/src/pages.ts';
import { type HostApi, type Release, SERVER_BUNDLE, SERVER_MAP } from '../../shared/contracts/src/release.ts';
import { HOST_API_VERSION, SHELL, type Unit } from '../../shared/contracts/src/unit.ts';
import { isEdited, readRoutesAnew } from './editing.ts';
import { versionOf } from './federation-manifest.ts';
import { findTranslations } from './translations-plugin.ts';
import { compressFile, listFiles, writeRelease } from './write-release.ts';

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
 * Writes release.json beside the files that it describes. It is written last, by a rename, and the files of an earlier
 * build are removed after it. So a reader finds either the old release or the new one, never a mixture. In the build of
 * `npm run dev` nothing is removed, because open pages still fetch older updates.
 */
export const releaseJson = (unit: DescribedUnit) => (compiler: Compiler) => {
  const folder = compiler.options.output.path ?? '';

  if (isEdited) {
    compiler.hooks.done.tapPromise('release', async (stats) => {
      try {
        const routes = await readRoutesAnew(unit.unit, compiler.context);
        writeRelease(folder, describeRelease({ ...unit, routes }, folder, stats));
      } catch (error) {
        compiler.getInfrastructureLogger('release').error(error instanceof Error ? error.message : error);
      }
    });
    return;
  }

  compiler.hooks.done.tap('release', (stats) => {
    if (stats.hasErrors()) return;

    const names = assetsOf(stats);
    const compressed = names.flatMap((name) => compressFile(join(folder, name)).map((path) => relative(folder, path)));
    writeRelease(folder, describeRelease(unit, folder, stats));
    removeOthers(folder, new Set([...names, ...compressed, SERVER_BUNDLE, SERVER_MAP, 'release.json']));
  });
};

function removeOthers(folder: string, keep: ReadonlySet<string>): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile() && !keep.has(relative(folder, path))) rmSync(path);
  }
}

/**
 * Describes what was built into a folder.
 * @throws Error when a page of the unit has no chunk, or its line in `routes.ts` is not complete
 */
function describeRelease(described: DescribedUnit, folder: string, stats: Stats): Release {
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

function assetsOf({ compilation }: Stats): string[] {
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

/** Package name → the names that are exported by it, or imported from it. */
type Names = Record<string, string[]>;

/** Statements that import nothing by themselves: each name that they bring in is a dependency of its own. */
const IMPORT_TYPES = new Set(['esm import', 'esm export import']);

/** The module of the shell that gives the shared packages to the remotes. */
const SHARING_MODULE = /\/federation\/shared-packages\.ts$/;

/** Finds the names that the modules of a remote import from the packages that the shell shares. */
function findRequiredNames({ modules, moduleGraph }: Compilation): Names {
  const found = new Map<string, Set<string>>();

  for (const shared of modules) {
    if (shared.type !== 'consume-shared-module') continue;
    for (const { dependency } of moduleGraph.getIncomingConnections(shared)) {
      const name = importedName(dependency);
      if (dependency.request === undefined || name === undefined) continue;
      found.set(dependency.request, (found.get(dependency.request) ?? new Set()).add(name));
    }
  }
  return sortNames(found);
}

/**
 * Finds the names that the shell gives of each shared package.
 * @param packages the names of the shared packages
 * @throws Error when the shell does not share one of them, or its names cannot be known before it runs
 */
function findProvidedNames({ modules, moduleGraph }: Compilation, packages: readonly string[]): Names {
  const sharing = [...modules].find((module) => 'resource' in module && SHARING_MODULE.test(String(module.resource)));
  const connections = sharing ? moduleGraph.getOutgoingConnections(sharing) : [];

  return sortNames(
    new Map(
      packages.map((name) => {
        const module = connections.find(({ dependency }) => dependency.request === name)?.module;
        const exported = module && moduleGraph.getProvidedExports(module);
        if (!module || !Array.isArray(exported)) throw new Error(`The shell does not share ${name}, or not by names`);
        return [name, new Set(isCommonJs(moduleGraph, module) ? [...exported, 'default'] : exported)];
      }),
    ),
  );
}

function importedName(dependency: Dependency): string | undefined {
  if (IMPORT_TYPES.has(dependency.type)) return undefined;
  const ids = 'ids' in dependency && Array.isArray(dependency.ids) ? dependency.ids : [];
  // Further ids are members of what is imported: `import { a }` and `a.b` gives a, b.
  return ids.length > 0 ? String(ids[0]) : ALL_MEMBERS;
}

/** Whether a module has no import or export statements. Its importers get all of it as the default export. */
function isCommonJs(moduleGraph: ModuleGraph, module: Module): boolean {
  return !moduleGraph.getOutgoingConnections(module).some(({ dependency }) => dependency.type.startsWith('esm'));
}

function sortNames(names: ReadonlyMap<string, ReadonlySet<string>>): Names {
  const packages = [...names.keys()].sort();
  return Object.fromEntries(packages.map((name) => [name, [...(names.get(name) ?? [])].sort()]));
}

/** The fields that the line of a page needs, each with its description for the error message. */
const REQUIRED_FIELDS = {
  page: 'the name of its chunk',
  title: "the label of its title, or '' for the team's name alone",
  shareTitle: 'the title of a shared link',
  description: 'a sentence for those who share it and those who look for it',
  picture: 'the name of a picture in api/pictures/share',
  canonical: 'the path that the sitemap lists, or null for none',
};

/**
 * Finds missing fields in a unit's `routes.ts`, and titles that the titles of the product specification overrule.
 * TypeScript cannot find the latter.
 * @returns a sentence for each problem that says what to write where
 */
export function findPageProblems(unit: Unit, routes: Routes): string[] {
  return Object.entries(routes).flatMap(([path, line]) => {
    const place = `its line in the routes.ts of ${unit}`;
    const missing = Object.entries(REQUIRED_FIELDS).filter(([field]) => !isFilled(field, Reflect.get(line, field)));
    if (missing.length > 0) return missing.map(([field, what]) => `${path} has no ${field}: ${place} needs ${what}`);

    const shown = titleOf(path, line.title);
    return shown === titleOf('', line.title)
      ? []
      : [`${path} is titled "${shown}" by the words of the specification: ${place} says "${line.title}"`];
  });
}

function isFilled(field: string, value: unknown): boolean {
  if (field === 'canonical' && value === null) return true;
  return typeof value === 'string' && (field === 'title' || value !== '');
}
