import { useSyncExternalStore } from 'react';

/**
 * False on the server and in the first render of a page from the server, true afterwards.
 * Anything that depends on query, device, clock or storage waits until it is true, so that server and browser render
 * the same.
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
