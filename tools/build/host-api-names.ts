import type { Compilation, Dependency, Module, ModuleGraph } from '@rspack/core';
import { WHOLE } from '../../shared/contracts/src/host-api-fit.ts';

/** Package name → the names that are exported by it, or imported from it. */
type Names = Record<string, string[]>;

/** Statements that import nothing by themselves: each name that they bring in is a dependency of its own. */
const STATEMENTS = new Set(['esm import', 'esm export import']);

/** The module of the shell that imports all shared packages, to give them to the remotes. */
const SHARING_MODULE = /\/federation\/shared-packages\.ts$/;

/** Finds the names that the modules of a remote import from the packages that the shell shares. */
export function findRequiredNames({ modules, moduleGraph }: Compilation): Names {
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
export function findProvidedNames({ modules, moduleGraph }: Compilation, packages: readonly string[]): Names {
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
  if (STATEMENTS.has(dependency.type)) return undefined;
  const ids = 'ids' in dependency && Array.isArray(dependency.ids) ? dependency.ids : [];
  // Further ids are members of what is imported: `import { a }` and `a.b` gives a, b.
  return ids.length > 0 ? String(ids[0]) : WHOLE;
}

/** Whether a module has no import or export statements. Its importers get all of it as the default export. */
function isCommonJs(moduleGraph: ModuleGraph, module: Module): boolean {
  return !moduleGraph.getOutgoingConnections(module).some(({ dependency }) => dependency.type.startsWith('esm'));
}

function sortNames(names: ReadonlyMap<string, ReadonlySet<string>>): Names {
  const packages = [...names.keys()].sort();
  return Object.fromEntries(packages.map((name) => [name, [...(names.get(name) ?? [])].sort()]));
}
