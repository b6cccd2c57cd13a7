import { afterFirstPaint } from '@app/platform';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';

/**
 * Makes a component whose code loads after the first paint, because no first screen needs it. The parent has to reserve
 * its space. When the code fails to load, the component renders nothing.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
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
