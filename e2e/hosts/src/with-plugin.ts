import { getInstance } from '@module-federation/runtime';
import type { RemoteModule } from '@app/platform';
import { startHost } from './host.tsx';

type Remote = { default: RemoteModule };

/** The runtime that the plugin has started. webpack's own plugin has none. */
const runtime = getInstance();

await startHost({
  async load(again) {
    // The bundler would give again what has thrown, or an empty module.
    return (again && (await runtime?.loadRemote<Remote>('key-system/remote'))) || import('key-system/remote');
  },
  async preload() {
    await runtime?.preloadRemote([{ nameOrAlias: 'key-system', exposes: ['remote'], resourceCategory: 'all' }]);
  },
});
