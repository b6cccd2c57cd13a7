/** How long another app may take to come before the page. */
const OPENS_WITHIN_MS = 1500;

/** Whether the page gives way to something else within a moment. Browsers tell nothing more of what an app's link did. */
export function hasOpened(page: EventTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const watch = new AbortController();
    const timer = setTimeout(() => settle(false), OPENS_WITHIN_MS);

    function settle(isOpen: boolean) {
      clearTimeout(timer);
      watch.abort();
      resolve(isOpen);
    }
    for (const event of ['blur', 'pagehide', 'visibilitychange'])
      page.addEventListener(event, () => settle(true), { signal: watch.signal });
  });
}
