import type { Unit } from '@app/contracts/unit';
import type { Resolution } from '@app/contracts/resolution';
import { lazyPage, siteSettings, type LazyPage, type RemoteModule } from '@app/platform';
import { countDown } from '@app/platform/count-down';
import type { ComponentType } from 'react';
import { expirePendingChunks } from './chunk-elements.ts';
import { ChunkError, failureOf, toLoadError } from './chunk-error.ts';
import { requireHostApi } from './host-api-error.ts';
import { forgetKeptPage, keepPage } from './kept-page.ts';
import { loadTranslations, registerRelease } from './load-entry.ts';
import { pageOfRelease } from './page-of-release.tsx';
import { refreshResolution, candidatesOf, isCrashing, noteFailure, type UnitRelease } from './releases.ts';
import { findOwner } from './resolution.ts';
import { runtime } from './runtime.ts';

export interface UnitPage extends LazyPage {
  /** Notes that the page threw. Returns whether to show it again, in another release or once more. */
  replace: (error: Error) => boolean;
}

const pageCache = new Map<string, UnitPage>();

/** All calls with the same path give the same object, so a preloaded page renders at once. */
export function pageAt(unit: Unit, path: string): UnitPage {
  const known = pageCache.get(path);
  if (known) return known;

  const page = unitPage(unit, path);
  pageCache.set(path, page);
  return page;
}

/** @param isRendered whether the document has the page's HTML, which stays without the code @throws ChunkError */
export async function preloadPage(resolution: Resolution, pathname: string, isRendered = false): Promise<void> {
  const unit = findOwner(resolution, pathname);
  if (!unit) return;
  if (isRendered) {
    const isThere = () => pageCache.get(pathname) === page;
    const page = unitPage(unit, pathname, (load) => retryWhileShown(unit, pathname, load, isThere));
    pageCache.set(pathname, page);
  }
  await pageAt(unit, pathname).preload();
}

/** Forgets a page whose code could not be had, so that the next visit asks for it again. */
export function forgetPage(path: string): void {
  forgetKeptPage(path);
  if (!pageCache.get(path)?.loaded()) pageCache.delete(path);
}

/** Until the code is there the visitor has the page's HTML. @param isThere whether the visitor has not left the page */
function retryWhileShown(
  unit: Unit,
  path: string,
  load: () => Promise<ComponentType>,
  isThere: () => boolean,
): Promise<ComponentType> {
  return new Promise((resolve) => {
    const attempt = (loading: Promise<ComponentType>): Promise<void> =>
      loading.then(
        (page) => {
          forgetKeptPage(path);
          resolve(page);
        },
        (error: Error) => {
          if (isThere()) keepPage({ path, error, tryAgain: () => attempt(loadOrReload(unit, load)) });
        },
      );
    void attempt(load());
  });
}

function unitPage(
  unit: Unit,
  path: string,
  insist: (load: () => Promise<ComponentType>) => Promise<ComponentType> = (load) => load(),
): UnitPage {
  let shown: UnitRelease | undefined;
  const load = () => loadPage(unit, path, (release) => (shown = release));
  let page = lazyPage(() => insist(load));

  return {
    preload: () => page.preload(),
    loaded: () => page.loaded(),
    retry() {
      page = lazyPage(() => loadOrReload(unit, load));
    },
    replace(error) {
      if (!shown || !page.loaded() || !noteFailure(shown, error)) return false;
      page = lazyPage(load);
      return true;
    },
  };
}

/** What is newer than this shell, has thrown once, or was not imported, comes with a new document alone. */
async function loadOrReload(unit: Unit, load: () => Promise<ComponentType>): Promise<ComponentType> {
  await refreshResolution(unit);
  return load().catch((error: unknown) => {
    if (!(error instanceof ChunkError) || error.isRemembered) location.reload();
    throw error;
  });
}

/**
 * Fetches a page within `chunkTimeoutMs` from the first release of its unit that can be had. After a timeout no other
 * one is tried: after such a wait the visitor decides whether to retry.
 * @throws ChunkError, HostApiError, or what the code of the page threw
 */
async function loadPage(unit: Unit, path: string, onLoaded: (release: UnitRelease) => void): Promise<ComponentType> {
  let stopClock: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    stopClock = countDown(siteSettings().chunkTimeoutMs / 1000, () => {
      expirePendingChunks();
      // What other builders' units load is not known here, and an import has no end of its own.
      setTimeout(() => reject(new ChunkError(unit, 'timeout')));
    });
  });
  late.catch(() => undefined);
  let failure: Error = new ChunkError(unit, 'missing');
  try {
    for await (const release of candidatesOf(unit)) {
      try {
        const page = await Promise.race([fetchWithRetry(release, path), late]);
        onLoaded(release);
        return pageOfRelease(page, release, release.source, () => {
          if (isCrashing(release)) throw new Error('QA lets this page crash.');
        });
      } catch (error) {
        failure = toLoadError(error, unit);
        noteFailure(release, failure);
        if (failureOf(failure) === 'timeout') break;
      }
    }
    throw failure;
  } finally {
    stopClock();
  }
}

/** A failed load is tried once more, but not after a timeout. What has arrived and crashed would crash again. */
async function fetchWithRetry(release: UnitRelease, path: string): Promise<ComponentType> {
  try {
    return await fetchPage(release, path);
  } catch (first) {
    if (!(first instanceof ChunkError) || first.type === 'timeout') throw first;

    return await fetchPage(release, path).catch((error: Error) => {
      throw Object.assign(error, { cause: first });
    });
  }
}

/** Fetches a page once. The federation runtime caches what has loaded, and forgets what failed. */
async function fetchPage(release: UnitRelease, path: string): Promise<ComponentType> {
  const { unit } = release;
  requireHostApi(release);

  const translated = loadTranslations(release);
  const name = registerRelease(release);
  const remote = await loadUnlessThrown(unit, name, () =>
    runtime.loadRemote<{ default: RemoteModule }>(`${name}/remote`),
  );
  const page = remote?.default.routes[path] ?? '';
  const load = remote?.default.pages[page];
  if (!load) throw new ChunkError(unit, 'missing');

  // Texts may be looked up while the code of the page starts.
  await translated;
  return loadUnlessThrown(unit, `${name}/${page}`, load);
}

const thrownErrors = new Map<string, Error>();

/** Loads code that has not thrown yet: what has, the bundler keeps half filled, and gives out as loaded the next time. */
async function loadUnlessThrown<Code>(unit: Unit, name: string, load: () => Promise<Code>): Promise<Code> {
  const first = thrownErrors.get(name);
  if (first) throw first;

  try {
    return await load();
  } catch (failure) {
    const error = toLoadError(failure, unit);
    if (!(error instanceof ChunkError)) thrownErrors.set(name, error);
    throw error;
  }
}
