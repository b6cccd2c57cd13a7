/** Resolves once what React has just put into the page can be seen: code that is not needed for that comes after it. */
export async function afterFirstPaint(): Promise<void> {
  await firstContentfulPaint();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Resolves when the browser says that it has shown something, or has done so already. */
function firstContentfulPaint(): Promise<void> {
  return new Promise((resolve) => {
    // A browser that does not tell is not waited for.
    if (!PerformanceObserver.supportedEntryTypes.includes('paint')) return resolve();

    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
  });
}
