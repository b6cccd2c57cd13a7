import { init } from '@module-federation/enhanced/runtime';
import { loadEntryWithIntegrity } from './load-entry.ts';
import { sharedPackages } from './shared-packages.ts';

/** Tells the federation runtime which packages are shared, and how an entry is loaded. It fetches nothing yet. */
export function startFederation(): void {
  // The default strategy fetches the entries of all remotes at once, so one missing remote would break every page.
  init({
    name: 'shell',
    remotes: [],
    shared: sharedPackages,
    shareStrategy: 'loaded-first',
    plugins: [loadEntryWithIntegrity],
  });
}
