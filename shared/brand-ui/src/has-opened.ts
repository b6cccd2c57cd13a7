/** An app that has not opened after this time counts as not opened. */
const OPENS_WITHIN_MS = 1500;

/**
 * Resolves with whether an app has opened: the page has lost the focus or was hidden. Browsers give no other sign.
 * @param page the window; a plain event target in tests
 */
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
