import { createElement, use, useEffect, type ComponentType } from 'react';
import { notePageSettled } from './after-first-paint.ts';

/** A page whose code is loaded when it is first needed. */
export interface LazyPage {
  /** Loads the code once. Rejects when the import does. */
  preload: () => Promise<ComponentType>;
  /** Forgets a failed import, so that the next `preload` tries again. */
  retry: () => void;
  /** The component, or undefined while its code is not loaded. */
  loaded: () => ComponentType | undefined;
}

/** Makes a lazy page. Unlike `React.lazy`, it can retry after a failure, and it renders a preloaded page at once. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let component: ComponentType | undefined;
  let pending: Promise<ComponentType> | undefined;

  return {
    preload() {
      pending ??= load().then((arrived) => (component = arrived));
      return pending;
    },
    retry() {
      if (!component) pending = undefined;
    },
    loaded: () => component,
  };
}

/** Renders a lazy page. While its code is loading, the nearest Suspense shows its fallback. */
export function ShowLazyPage({ page }: { page: LazyPage }) {
  // A render that has waited is repeated, and has to use the same promise again though the code is there by then.
  const component = use(knownPromise(page));
  useEffect(notePageSettled, []);
  return createElement(component);
}

/**
 * The promise of a page's code. When that is there, `use` gives it at once, because React reads these fields of a promise
 * that it has not waited for. Source: react.dev, `use`.
 */
function knownPromise(page: LazyPage): Promise<ComponentType> {
  const value = page.loaded();
  return value ? Object.assign(page.preload(), { status: 'fulfilled', value }) : page.preload();
}

/** What a remote exposes as `./remote`: the page of each of its paths, and how to load its code. */
export interface RemoteModule {
  /** Path to page name; the build writes the same table into release.json. */
  routes: Readonly<Record<string, string>>;
  /** Each page is a chunk of its own, named like the page. */
  pages: Readonly<Record<string, () => Promise<ComponentType>>>;
}
