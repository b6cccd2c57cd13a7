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
  const component = page.loaded() ?? use(page.preload());
  useEffect(notePageSettled, []);
  return createElement(component);
}
