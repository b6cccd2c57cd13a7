const STORED_AS = 'scroll-positions';

const positions = new Map<string, number>(restore());

// The browser would restore the position before the code of the page has loaded.
if (typeof window !== 'undefined') {
  history.scrollRestoration = 'manual';
  window.addEventListener('pagehide', () => sessionStorage.setItem(STORED_AS, JSON.stringify([...positions])));
}

/** Remembers how far the page of a history entry is scrolled, in pixels. */
export function keepPosition(entryKey: string, pixels: number): void {
  positions.set(entryKey, pixels);
}

/** How far the page of a history entry was scrolled when the visitor left it, in pixels. */
export function positionOf(entryKey: string): number | undefined {
  return positions.get(entryKey);
}

/** Whether the back or forward button loaded this document, as opposed to a reload or a new visit. */
export function isHistoryNavigation(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'back_forward';
}

function restore(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(stored) ? (stored as [string, number][]) : [];
  } catch {
    return [];
  }
}
