import { afterFirstPaint } from '@app/platform';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';

/**
 * A part of a page whose code comes after the page, since nothing on a first screen needs it.
 * Its place is kept by whoever shows it; a failure leaves the place empty and the page as it is.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch(() => Nothing) }));

  return function Late(props: Props) {
    const [isTime, setIsTime] = useState(false);

    useEffect(() => {
      void afterFirstPaint().then(() => setIsTime(true));
    }, []);

    return isTime ? (
      <Suspense>
        <Part {...props} />
      </Suspense>
    ) : null;
  };
}

function Nothing() {
  return null;
}
