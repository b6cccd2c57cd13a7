import { useEffect, useState, type ComponentType } from 'react';

/** The first toast comes after 8 s, so its code can wait until the page has settled. */
const AFTER_MS = 2000;

/** Fetches the toasts' code once the page has settled. They are an ornament: without it the site goes on. */
export function DeferredToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType }>();

  useEffect(() => {
    const timer = setTimeout(() => {
      import(/* webpackChunkName: "toasts" */ './toasts.tsx').then(setLoaded, () => undefined);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return loaded && <loaded.Toasts />;
}
