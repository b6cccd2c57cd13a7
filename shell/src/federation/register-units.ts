import { init } from '@module-federation/enhanced/runtime';
import type { Resolution } from '@app/contracts/release';
import { loadEntryWithIntegrity } from './load-entry.ts';
import { listRemotes } from './resolution.ts';
import { sharedPackages } from './shared-packages.ts';

/** Tells the federation runtime what the page shares and where each remote's entry lies. Nothing is fetched yet. */
export function registerUnits(resolution: Resolution): void {
  const remotes = listRemotes().flatMap((unit) => {
    const resolved = resolution.units[unit];
    const globalName = resolved?.entry.globalName;
    return resolved && globalName
      ? [{ name: unit, entry: resolved.entry.url, entryGlobalName: globalName, type: 'global' as const }]
      : [];
  });

  // The runtime's own default fetches every remote at once, so one that is away would break all.
  init({
    name: 'shell',
    remotes,
    shared: sharedPackages,
    shareStrategy: 'loaded-first',
    plugins: [loadEntryWithIntegrity(resolution)],
  });
}
