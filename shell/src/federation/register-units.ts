import { init } from '@module-federation/enhanced/runtime';
import type { Resolution } from '@app/contracts/release';
import { loadEntryWithIntegrity } from './load-entry.ts';
import { listRemotes } from './resolution.ts';
import { sharedPackages } from './shared-packages.ts';

/** Tells the federation runtime which packages are shared and where each remote's entry is. It fetches nothing yet. */
export function registerUnits(resolution: Resolution): void {
  const remotes = listRemotes(resolution).flatMap((unit) => {
    const resolved = resolution.units[unit];
    const globalName = resolved?.entry.globalName;
    return resolved && globalName
      ? [{ name: unit, entry: resolved.entry.url, entryGlobalName: globalName, type: 'global' as const }]
      : [];
  });

  // The default strategy fetches the entries of all remotes at once, so one missing remote would break every page.
  init({
    name: 'shell',
    remotes,
    shared: sharedPackages,
    shareStrategy: 'loaded-first',
    plugins: [loadEntryWithIntegrity(resolution)],
  });
}
