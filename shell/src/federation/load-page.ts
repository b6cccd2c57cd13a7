import { loadRemote } from '@module-federation/enhanced/runtime';
import type { Resolution, Unit } from '@app/contracts/release';
import { lazyPage, siteSettings, type LazyPage, type RemoteModule } from '@app/platform';
import type { ComponentType } from 'react';
import { expirePendingChunks } from './chunk-elements.ts';
import { ChunkError, toChunkError } from './chunk-error.ts';
import { findOwner } from './resolution.ts';

const pages = new Map<string, LazyPage>();

/**
 * The page at a path of a remote. All calls with the same path give the same object, so a preloaded page renders at
 * once.
 */
export function pageAt(unit: Unit, path: string): LazyPage {
  const known = pages.get(path);
  if (known) return known;

  const page = lazyPage(() => loadPage(unit, path));
  pages.set(path, page);
  return page;
}

/**
 * Fetches the code of the page at a path, and of its unit. Does nothing when no remote owns the path.
 * @throws ChunkError
 */
export async function preloadPage(resolution: Resolution, pathname: string): Promise<void> {
  const unit = findOwner(resolution, pathname);
  if (unit) await pageAt(unit, pathname).preload();
}

/**
 * Fetches a page within `chunkTimeoutMs`. A failure is tried once more, but a timeout is not: after such a wait the
 * visitor decides whether to retry.
 * @throws ChunkError
 */
async function loadPage(unit: Unit, path: string): Promise<ComponentType> {
  const timer = setTimeout(expirePendingChunks, siteSettings().chunkTimeoutMs);
  try {
    return await fetchPage(unit, path).catch((error: ChunkError) => {
      if (error.type === 'timeout') throw error;
      return fetchPage(unit, path);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches a page once. The federation runtime caches what has loaded, and forgets what failed. */
async function fetchPage(unit: Unit, path: string): Promise<ComponentType> {
  try {
    const remote = (await loadRemote<{ default: RemoteModule }>(`${unit}/remote`))?.default;
    const load = remote?.pages[remote.routes[path] ?? ''];
    if (!load) throw new ChunkError(unit, 'missing');

    return await load();
  } catch (thrown) {
    throw toChunkError(thrown, unit);
  }
}
