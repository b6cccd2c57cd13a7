import { useSyncExternalStore } from 'react';

/**
 * False on the server and in the first render of a page from the server, true afterwards.
 * Anything that depends on query, device, clock or storage waits until it is true, so that server and browser render
 * the same.
 */
export function useIsHydrated(): boolean {
  return useOnceHydrated(
    () => true,
    () => false,
  );
}

/**
 * A value that the browser knows and the server does not. Where both say the same, nothing renders again.
 * @param known gives the value in the browser; numbers, texts and the like, because it is compared in each render
 * @param rendered gives what the server has rendered with
 */
export function useOnceHydrated<T>(known: () => T, rendered: () => T): T {
  return useSyncExternalStore(subscribeToNothing, known, rendered);
}

function subscribeToNothing() {
  return () => undefined;
}
