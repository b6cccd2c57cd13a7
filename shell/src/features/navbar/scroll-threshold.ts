import { PAGES } from '@app/contracts/pages';
import { useCallback, useSyncExternalStore } from 'react';

const SCROLL_THRESHOLD_PX = 99;
const LANDING_SCROLL_THRESHOLD_PX = 40;

/** The pages of V5 and NEO. Their headers are less high. */
const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo]);

export function scrollThreshold(pathname: string): number {
  return LANDING_PAGES.has(pathname) ? LANDING_SCROLL_THRESHOLD_PX : SCROLL_THRESHOLD_PX;
}

/** Whether the page is scrolled beyond a threshold in pixels. */
export function useIsScrolledBeyond(threshold: number): boolean {
  return useSyncExternalStore(
    subscribeToScroll,
    useCallback(() => window.scrollY > threshold, [threshold]),
    () => false,
  );
}

function subscribeToScroll(onScroll: () => void) {
  window.addEventListener('scroll', onScroll, { passive: true });
  return () => window.removeEventListener('scroll', onScroll);
}
