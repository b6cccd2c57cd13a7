import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import { countDown } from '@app/platform/count-down';
import { watchChunkElement } from './chunk-elements.ts';
import { ChunkError } from './chunk-error.ts';
import type { UnitRelease } from './releases.ts';
import { runtime } from './runtime.ts';
import { createShareScope } from './shared-packages.ts';

declare global {
  interface ImportMeta {
    /** Set only in the build of `npm run dev`. */
    readonly webpackHot?: object;
  }
}

const TEXTS_TIMEOUT_S = 3;

type TranslatedRelease = Pick<UnitRelease, 'unit'> & Partial<Pick<UnitRelease, 'translations'>>;

type Container = Exclude<Awaited<ReturnType<NonNullable<ModuleFederationRuntimePlugin['loadEntry']>>>, void>;

/** The releases that the federation runtime knows, by the name of their container. */
const registeredReleases = new Map<string, UnitRelease>();

/**
 * The page has one copy of each package, so the build leaves out what chooses between versions (4 KB). In place of it
 * the remotes' containers get the finished share scope.
 */
export function startFederation(): void {
  // Where the tools of the federation look for the hosts of a page.
  globalThis.__FEDERATION__.__INSTANCES__.push(runtime);
  runtime.registerPlugins([loadEntryWithIntegrity]);
  runtime.initShareScopeMap('default', createShareScope());
}

/** Under the name of its container, which contains the version: so a page can have two releases of a unit. */
export function registerRelease(release: UnitRelease): string {
  const { url, globalName } = release.entry;
  if (!globalName) throw new ChunkError(release.unit, 'missing', url);

  registeredReleases.set(globalName, release);
  runtime.registerRemotes([{ name: globalName, entry: url, entryGlobalName: globalName, type: 'global' }]);
  return globalName;
}

/** The runtime itself checks no hash and gives up after 20 s. Only what QA has on its own computer has no hash. */
export const loadEntryWithIntegrity: ModuleFederationRuntimePlugin = {
  name: 'load-entry-with-integrity',

  async loadEntry({ remoteInfo }) {
    const { name, entry, entryGlobalName } = remoteInfo;
    const { unit = name, source, entry: { integrity = '' } = {} } = registeredReleases.get(name) ?? {};
    if (!integrity && source !== 'local') throw new ChunkError(unit, 'missing', entry);

    await appendScript(unit, entry, integrity);
    const container = Reflect.get(globalThis, entryGlobalName) as Partial<Container> | undefined;
    // An element whose id is the name of the container is a global variable, too.
    if (typeof container?.get !== 'function') throw new ChunkError(unit, 'missing', entry);

    return container as Container;
  },
};

/** A page waits a few seconds for its texts, unless the document had them; then it is in the original language. */
export async function loadTranslations({ unit, translations }: TranslatedRelease): Promise<void> {
  if (!translations || globalThis.translations?.texts?.[unit]) return;

  const fetchOnce = () => appendScript(unit, translations.url, translations.integrity);
  await new Promise<void>((goOn) => {
    countDown(TEXTS_TIMEOUT_S, goOn);
    void fetchOnce()
      .catch(fetchOnce)
      .catch(() => undefined)
      .then(goOn);
  });
}

function appendScript(unit: string, url: string, integrity: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    // During `npm run dev` an entry may be newer than the page and its hash. Production builds have no webpackHot.
    if (!import.meta.webpackHot) script.integrity = integrity;
    script.crossOrigin = 'anonymous';

    watchChunkElement(script);
    script.onload = () => resolve();
    script.onerror = (event) => {
      script.remove();
      reject(new ChunkError(unit, event instanceof Event && event.type === 'timeout' ? 'timeout' : 'error', url));
    };
    document.head.append(script);
  });
}
