import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import type { Resolution } from '@app/contracts/release';
import { watchChunkElement } from './chunk-elements.ts';
import { ChunkError } from './chunk-error.ts';

declare global {
  interface ImportMeta {
    /** There while the shell is edited. */
    readonly webpackHot?: object;
  }
}

/**
 * Fetches a remote's entry in place of the federation runtime, which checks no hash and gives
 * up after its own 20 s. An entry whose hash the server did not state is refused.
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
    // An entry that is edited is another by now than when this page was made. No build for visitors has this word.
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
