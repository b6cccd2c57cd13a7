let settle: () => void;
const settled = new Promise<void>((resolve) => (settle = resolve));

/** Says that the first page works, or that it will not. */
export function notePageSettled(): void {
  settle();
}

/**
 * Resolves when the visitor can see the first page, and use it. A page from the server is seen long before it works, so
 * code that the first view does not need waits for both.
 */
export async function afterFirstPaint(): Promise<void> {
  await Promise.all([firstContentfulPaint(), settled]);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Resolves at the first contentful paint or when the page has loaded, at once when that has happened already. */
function firstContentfulPaint(): Promise<void> {
  return new Promise((resolve) => {
    // Some browsers do not report paints.
    if (!PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve();

    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
    // Firefox does not report each: it told none of the V5 page. A page that has loaded is painted with the next frame.
    if (document.readyState === 'complete') resolve();
    else addEventListener('load', () => resolve(), { once: true });
  });
}
