import type { RemoteUnit, Resolution } from '@app/contracts/release';
import type { RemoteModule } from '@app/platform';
import { watchChunkElement } from './chunk-elements.ts';
import { ChunkError } from './chunk-error.ts';

/** What a remote's entry leaves in the page, under its global name. */
interface Container {
  /** Takes the packages that the shell shares. */
  init: (shared: object) => Promise<void> | void;
  get: (exposed: string) => Promise<() => { default: RemoteModule }>;
}

declare global {
  /** Puts what the shell shares into its scope, once. The bundler knows both names. */
  const __webpack_init_sharing__: (scope: string) => Promise<void> | void;
  const __webpack_share_scopes__: Readonly<Record<'default', object>>;
}

const containers = new Map<RemoteUnit, Promise<Container>>();

/**
 * Fetches what a remote exposes. What failed is forgotten, so the next call asks again.
 * @throws what the entry or a chunk failed with; `toChunkError` gives it its shape
 */
export async function loadRemote(unit: RemoteUnit, resolution: Resolution): Promise<RemoteModule> {
  let pending = containers.get(unit);
  if (!pending) {
    pending = loadContainer(unit, resolution);
    containers.set(unit, pending);
    pending.catch(() => containers.delete(unit));
  }

  const container = await pending;
  const module = await container.get('./remote');
  return module().default;
}

/** An entry whose hash the server did not state is refused. */
async function loadContainer(unit: RemoteUnit, resolution: Resolution): Promise<Container> {
  const { url, globalName, integrity } = resolution.units[unit]?.entry ?? {};
  if (!url || !globalName || !integrity) throw new ChunkError(unit, 'missing', url);

  await appendScript(unit, url, integrity);
  const container = Reflect.get(globalThis, globalName) as Container | undefined;
  if (!container) throw new ChunkError(unit, 'missing', url);

  await __webpack_init_sharing__('default');
  await container.init(__webpack_share_scopes__.default);
  return container;
}

function appendScript(unit: string, url: string, integrity: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.integrity = integrity;
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
