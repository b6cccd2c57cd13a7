import { registerPlugins, registerRemotes } from '@module-federation/enhanced/runtime';
import type { Resolution } from '@app/contracts/release';
import { loadEntryWithIntegrity } from './load-entry.ts';
import { listRemotes } from './resolution.ts';

/** Tells the federation runtime where each remote's entry lies. Nothing is fetched yet. */
export function registerUnits(resolution: Resolution): void {
  const remotes = listRemotes().flatMap((unit) => {
    const resolved = resolution.units[unit];
    const globalName = resolved?.entry.globalName;
    return resolved && globalName
      ? [{ name: unit, entry: resolved.entry.url, entryGlobalName: globalName, type: 'global' as const }]
      : [];
  });

  registerPlugins([loadEntryWithIntegrity(resolution)]);
  registerRemotes(remotes);
}
