import { useEffect } from 'react';

/** How long the window has to keep its size before the call. */
const RESIZE_DEBOUNCE_MS = 250;

/**
 * Calls a function once after the window was resized.
 * @param resized has to be the same function in every render; a new function cancels the wait
 */
export function useDebouncedResize(resized: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(resized, RESIZE_DEBOUNCE_MS);
    };
    window.addEventListener('resize', schedule);

    return () => {
      window.removeEventListener('resize', schedule);
      clearTimeout(timer);
    };
  }, [resized]);
}
