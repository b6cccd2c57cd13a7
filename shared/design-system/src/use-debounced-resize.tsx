import { useEffect } from 'react';
import { debounce } from './debounce.ts';

/** How long the window must keep its size before the call. */
const RESIZE_DEBOUNCE_MS = 250;

/**
 * Calls a function after the window was resized, once.
 * @param resized has to be the same function in each render; a new one starts the wait again
 */
export function useDebouncedResize(resized: () => void): void {
  useEffect(() => {
    const { schedule, cancel } = debounce(resized, RESIZE_DEBOUNCE_MS);
    window.addEventListener('resize', schedule);

    return () => {
      window.removeEventListener('resize', schedule);
      cancel();
    };
  }, [resized]);
}
