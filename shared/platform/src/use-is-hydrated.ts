import { useSyncExternalStore } from 'react';

/**
 * False on the server and in the first render of a page that came from there, true after.
 * What depends on query, device, clock or storage waits for it, so that both first renders agree.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

function subscribeToNothing() {
  return () => undefined;
}
