const STORED_AS = 'scroll-positions';

/** Read when it is first needed: the browser's first answer from its storage takes a slow phone 20 ms. */
let positions: Map<string, number> | undefined;

if (typeof window !== 'undefined')
  window.addEventListener('pagehide', () => sessionStorage.setItem(STORED_AS, JSON.stringify([...known()])));

/** Remembers how far the page of a history entry is scrolled, in pixels. */
export function keepPosition(entryKey: string, pixels: number): void {
  known().set(entryKey, pixels);
}

/** How far the page of a history entry was scrolled when the visitor left it, in pixels. */
export function positionOf(entryKey: string): number | undefined {
  return known().get(entryKey);
}

function known(): Map<string, number> {
  return (positions ??= new Map(readStored()));
}

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(stored) ? (stored as [string, number][]) : [];
  } catch {
    return [];
  }
}
