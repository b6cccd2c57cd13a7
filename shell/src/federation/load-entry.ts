import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import type { Resolution } from '@app/contracts/release';
import { watchChunkElement } from './chunk-elements.ts';
import { ChunkError } from './chunk-error.ts';

declare global {
  interface ImportMeta {
    /** Set only in the build of `npm run dev`. */
    readonly webpackHot?: object;
  }
}

/**
 * A plugin of the federation runtime that loads the entry of a remote. The runtime itself checks no hash and gives up
 * after 20 s. An entry without a hash in the resolution is not loaded.
 */
export function loadEntryWithIntegrity(resolution: Resolution): ModuleFederationRuntimePlugin {
  return {
    name: 'load-entry-with-integrity',

    async loadEntry({ remoteInfo }) {
      const { name, entry, entryGlobalName } = remoteInfo;
      const integrity = resolution.units[name]?.entry.integrity;
      if (!integrity) throw new ChunkError(name, 'missing', entry);

      await appendScript(name, entry, integrity);
      const container: unknown = Reflect.get(globalThis, entryGlobalName);
      if (!container) throw new ChunkError(name, 'missing', entry);

      return container as Awaited<ReturnType<NonNullable<ModuleFederationRuntimePlugin['loadEntry']>>>;
    },
  };
}

function appendScript(unit: string, url: string, integrity: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    // During `npm run dev` an entry may be newer than the page and its hash. Production builds have no webpackHot.
    if (!import.meta.webpackHot) script.integrity = integrity;
    script.crossOrigin = 'anonymous';
    script.onload = () => resolve();
    script.onerror = (event) => {
      script.remove();
      reject(new ChunkError(unit, event instanceof Event && event.type === 'timeout' ? 'timeout' : 'error', url));
    };

    watchChunkElement(script);
    document.head.append(script);
  });
}
