/** Replaces the federation runtime in the build without federation. All remotes are part of the bundle. */
import companion from '../../../remotes/companion/src/remote.ts';
import keySystem from '../../../remotes/key-system/src/remote.ts';
import marketing from '../../../remotes/marketing/src/remote.ts';
import tools from '../../../remotes/tools/src/remote.ts';

const REMOTES: Record<string, unknown> = { companion, 'key-system': keySystem, marketing, tools };

export function loadRemote(id: string): Promise<{ default: unknown }> {
  return Promise.resolve({ default: REMOTES[id.replace(/\/remote$/, '')] });
}

export function init(): void {
  // There is nothing to register.
}
