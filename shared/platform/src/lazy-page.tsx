import { createElement, use, type ComponentType } from 'react';

/** A page whose code arrives when it is first wanted. */
export interface LazyPage {
  /** Fetches the code, once; rejects as the import does. */
  preload: () => Promise<ComponentType>;
  /** Forgets a failed fetch, so that the next one asks again. */
  retry: () => void;
  /** The component, where the code is there already. */
  loaded: () => ComponentType | undefined;
}

/** React.lazy keeps a rejection for ever; this can be retried, and shows at once what was preloaded. */
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

/** Shows a lazy page; until its code is there, the nearest Suspense shows its fallback. */
export function ShowLazyPage({ page }: { page: LazyPage }) {
  return createElement(page.loaded() ?? use(page.preload()));
}
