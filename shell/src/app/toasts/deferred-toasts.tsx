import { afterFirstPaint } from '@app/platform';
import { useEffect, useState, type ComponentType } from 'react';

/** Loads the code of the toasts after the first paint. When that fails, the site works without them. */
export function DeferredToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType }>();

  useEffect(() => {
    afterFirstPaint()
      .then(() => import(/* webpackChunkName: "toasts" */ './toasts.tsx'))
      .then(setLoaded, () => undefined);
  }, []);

  return loaded && <loaded.Toasts />;
}
