/** How long an app may take to open in front of the page. */
const OPENS_WITHIN_MS = 1500;

/** Whether the page loses focus or is hidden within a moment: the only sign that a link has opened an app. */
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
