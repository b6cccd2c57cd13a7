/** Replaces the federation runtime in the build without federation. All remotes are part of the bundle. */
import companion from '../../../remotes/companion/src/remote.ts';
import keySystem from '../../../remotes/key-system/src/remote.ts';
import marketing from '../../../remotes/marketing/src/remote.ts';
import tools from '../../../remotes/tools/src/remote.ts';

const REMOTES: Record<string, unknown> = { companion, 'key-system': keySystem, marketing, tools };

/** @param id the name of a container, which begins with the name of its unit, and what it exposes */
export function loadRemote(id: string): Promise<{ default: unknown }> {
  const [unit = ''] = id.split('__');
  return Promise.resolve({ default: REMOTES[unit.replace('_', '-')] });
}

export function init(): { initShareScopeMap: () => void } {
  return { initShareScopeMap: () => undefined };
}

export function registerRemotes(): void {
  // All remotes are there.
}
