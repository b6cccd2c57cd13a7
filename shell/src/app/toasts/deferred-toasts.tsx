import { afterFirstPaint } from '@app/platform';
import { useEffect, useState, type ComponentType } from 'react';

/** Fetches the toasts' code once the page can be seen. They are an ornament: without it the site goes on. */
export function DeferredToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType }>();

  useEffect(() => {
    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "toasts" */ './toasts.tsx'))
      .then(setLoaded, () => undefined);
  }, []);

  return loaded && <loaded.Toasts />;
}
