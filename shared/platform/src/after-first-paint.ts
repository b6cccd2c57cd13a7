/** Resolves when the visitor can see what React has rendered. Code that the first view does not need waits for it. */
export async function afterFirstPaint(): Promise<void> {
  await firstContentfulPaint();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Resolves at the first contentful paint, or at once when it has happened already. */
function firstContentfulPaint(): Promise<void> {
  return new Promise((resolve) => {
    // Some browsers do not report paints.
    if (!PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve();

    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
  });
}
