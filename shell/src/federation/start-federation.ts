import { loadEntryWithIntegrity } from './load-entry.ts';
import { runtime } from './runtime.ts';
import { createShareScope } from './shared-packages.ts';

/**
 * Tells the federation runtime which packages are shared, and how an entry is loaded. It fetches nothing yet.
 *
 * The page has one copy of each package, so the build leaves out what chooses between versions (4 KB). In place of it
 * the remotes' containers get the finished share scope.
 */
export function startFederation(): void {
  // Where the tools of the federation look for the hosts of a page.
  globalThis.__FEDERATION__.__INSTANCES__.push(runtime);
  runtime.registerPlugins([loadEntryWithIntegrity]);
  runtime.initShareScopeMap('default', createShareScope());
}
