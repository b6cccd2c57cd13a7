import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * Counts what this page requests, of all that the browser reports: requests of other parts of the page, too. Pictures of
 * styles do not count: a window that becomes wider shows more of them, and they carry nothing.
 * @returns the requests since `count` was called; undefined before
 */
export function useSentRequests() {
  const observer = useRef<PerformanceObserver>(undefined);
  const [sent, setSent] = useState<readonly string[]>();

  const count = useCallback(() => {
    observer.current?.disconnect();
    const since = performance.now();
    setSent([]);
    observer.current = new PerformanceObserver((list) => {
      const begun = (list.getEntries() as PerformanceResourceTiming[]).filter(
        (entry) => entry.startTime >= since && entry.initiatorType !== 'css' && !isFromCache(entry),
      );
      setSent((before = []) => [...before, ...begun.map(({ name }) => shorten(name))]);
    });
    observer.current.observe({ type: 'resource' });
  }, []);

  useEffect(() => () => observer.current?.disconnect(), []);

  return { sent, count };
}

/** What the browser had itself was not sent: it has content, and nothing came over the network. */
function isFromCache({ transferSize, decodedBodySize }: PerformanceResourceTiming): boolean {
  return transferSize === 0 && decodedBodySize > 0;
}

/** The path of an address; of a file of ours, its name. */
function shorten(address: string): string {
  const { pathname } = new URL(address, location.href);
  return pathname.startsWith('/releases/') ? pathname.slice(pathname.lastIndexOf('/') + 1) : pathname;
}
