import { useEffect, useState } from 'react';

/**
 * What a load gives, once it is there. Nothing is asked for before the page runs in a browser.
 * @param load the same function from render to render, or it is called with each; a failure is its own to tell
 * @param before stands until then, and for good when the load fails
 */
export function useLoaded<Value>(load: () => Promise<Value>, before: Value): Value {
  const [value, setValue] = useState(before);

  useEffect(() => {
    let isWanted = true;
    load().then(
      (loaded) => isWanted && setValue(() => loaded),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [load]);

  return value;
}
