/** A page that has fetched nothing for so long is complete. */
const QUIET_MS = 400;

/** Resolves once the page has loaded, and no request of it has ended for a moment. */
export async function pageIsQuiet(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  }
  for (;;) {
    const ends = performance.getEntriesByType('resource').map((entry) => entry.startTime + entry.duration);
    const left = Math.max(0, ...ends) + QUIET_MS - performance.now();
    if (left <= 0) return;

    await new Promise((resolve) => setTimeout(resolve, left));
  }
}
