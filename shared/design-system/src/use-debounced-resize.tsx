import { useEffect } from 'react';
import { debounce } from './debounce.ts';

/** How long a window must have kept its size. */
const RESIZE_DEBOUNCE_MS = 250;

/**
 * Calls when the window has come to its new size, not on the way there.
 * @param resized the same function from render to render, or the wait begins anew with each
 */
export function useDebouncedResize(resized: () => void): void {
  useEffect(() => {
    const { soon, never } = debounce(resized, RESIZE_DEBOUNCE_MS);
    window.addEventListener('resize', soon);

    return () => {
      window.removeEventListener('resize', soon);
      never();
    };
  }, [resized]);
}
