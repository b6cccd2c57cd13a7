import { useEffect } from 'react';

/**
 * Does something again and again while the page is seen.
 * @param everyMs undefined for not at all
 * @param act the same function from render to render, or the wait begins anew with each
 */
export function useRepeat(everyMs: number | undefined, act: () => void): void {
  useEffect(() => {
    if (everyMs === undefined) return;

    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') act();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, act]);
}
