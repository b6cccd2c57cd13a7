import { loadRemote } from '@module-federation/enhanced/runtime';
import type { RemoteUnit, Resolution } from '@app/contracts/release';
import { lazyPage, siteSettings, type LazyPage, type RemoteModule } from '@app/platform';
import type { ComponentType } from 'react';
import { expirePendingChunks } from './chunk-elements.ts';
import { ChunkError, toChunkError } from './chunk-error.ts';
import { findOwner } from './resolution.ts';

const pages = new Map<string, LazyPage>();

/** The page of a remote's path: renders at once when it was preloaded, and can be retried when it failed. */
export function pageAt(unit: RemoteUnit, path: string): LazyPage {
  const known = pages.get(path);
  if (known) return known;

  const page = lazyPage(() => loadPage(unit, path));
  pages.set(path, page);
  return page;
}

/** Fetches the code of the page that an address shows, its unit included. */
export async function preloadPage(resolution: Resolution, pathname: string): Promise<void> {
  const unit = findOwner(resolution, pathname);
  if (unit) await pageAt(unit, pathname).preload();
}

/**
 * Fetches a page within the time that chunks have. What fails is asked for once more, except what did not answer:
 * a visitor who waited that long decides for himself.
 * @throws ChunkError
 */
async function loadPage(unit: RemoteUnit, path: string): Promise<ComponentType> {
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

/** The runtime remembers what it has loaded, and forgets what failed. */
async function fetchPage(unit: RemoteUnit, path: string): Promise<ComponentType> {
  try {
    const remote = (await loadRemote<{ default: RemoteModule }>(`${unit}/remote`))?.default;
    const load = remote?.pages[remote.routes[path] ?? ''];
    if (!load) throw new ChunkError(unit, 'missing');

    return await load();
  } catch (thrown) {
    throw toChunkError(thrown, unit);
  }
}
