const TICK_MS = 1000;

/**
 * Calls back when the page has run for some seconds. The clock stands still while the page is frozen, as in the
 * back/forward cache. What has arrived meanwhile is told after the first tick, which comes late, so that one does not count.
 * @returns what stops the clock
 */
export function countDown(seconds: number, act: () => void): () => void {
  let left = seconds;
  let last = performance.now();
  const clock = setInterval(() => {
    const isLate = performance.now() - last >= 2 * TICK_MS;
    last = performance.now();
    if (isLate || --left > 0) return;

    clearInterval(clock);
    act();
  }, TICK_MS);
  return () => clearInterval(clock);
}
