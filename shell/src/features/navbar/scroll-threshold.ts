import { PAGES } from '@app/contracts/pages';
import { useCallback, useSyncExternalStore } from 'react';

const THRESHOLD = 99;
const LANDING_THRESHOLD = 40;

/** The pages of V5 and NEO. Their headers are less high. */
const LANDING_PAGES = new Set(['/', PAGES.home, PAGES.v5, PAGES.neo]);

export function scrollThreshold(pathname: string): number {
  return LANDING_PAGES.has(pathname) ? LANDING_THRESHOLD : THRESHOLD;
}

export function useIsScrolled(pathname: string): boolean {
  return useIsBeyond(scrollThreshold(pathname));
}

/** Whether the page has left its top, so that its text comes to lie beneath the bar. */
export function useIsBelowTop(): boolean {
  return useIsBeyond(0);
}

function useIsBeyond(threshold: number): boolean {
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
