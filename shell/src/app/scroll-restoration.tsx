import { useLocation, useNavigationType } from '@app/platform';
import { useEffect, useLayoutEffect } from 'react';

const STORAGE_KEY = 'scroll-positions';

/** Read when it is first needed: the browser's first answer from its storage takes a slow phone 20 ms. */
let positions: Map<string, number> | undefined;

if (typeof window !== 'undefined')
  window.addEventListener('pagehide', () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...savedPositions()])));

/** The path of the page that was shown last; undefined before the first one. */
let lastShownPath: string | undefined;

/**
 * Scrolls a page that takes the place of another one: after "back" or "forward" to where the visitor left it, otherwise
 * to the anchor in the address, or to the top. The browser scrolls the first page of a document, which is in the
 * server's HTML, and goes back and forward within a page.
 */
export function ScrollRestoration() {
  const { key, pathname, hash } = useLocation();
  const type: string = useNavigationType();
  // An entry that the router has not made has no key of its own. A value in the hash can be a secret, which is not stored.
  const entry = key === 'default' ? pathname + (hash.includes('=') ? '' : hash) : key;

  useLayoutEffect(() => {
    const before = lastShownPath;
    lastShownPath = pathname;
    if (before === pathname && type !== 'PUSH') return;
    // The browser has found the anchor, unless the page was not in the HTML.
    if (before === undefined && (!hash || window.scrollY > 0)) return;

    const left = before !== undefined && type === 'POP' ? savedPositions().get(entry) : undefined;
    const anchor = hash ? document.getElementById(decodeHash(hash)) : null;

    if (left !== undefined) window.scrollTo(0, left);
    else if (anchor) anchor.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [entry, pathname, hash, type]);

  // Without a movement there is no event. Reading `scrollY` before the next frame would force another layout.
  useEffect(() => {
    const frame = requestAnimationFrame(() => savedPositions().set(entry, window.scrollY));
    return () => cancelAnimationFrame(frame);
  }, [entry]);

  // Before the page says that it works, so that no scrolling is missed.
  useLayoutEffect(() => {
    const onScroll = () => {
      // While the next page loads, its entry is the current one already.
      if (keyOfCurrentEntry() === key) savedPositions().set(entry, window.scrollY);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [entry, key]);

  return null;
}

function keyOfCurrentEntry(): string {
  return (history.state as { key?: string } | null)?.key ?? 'default';
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

function savedPositions(): Map<string, number> {
  return (positions ??= new Map(readStored()));
}

function readStored(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? (stored as [string, number][]) : [];
  } catch {
    return [];
  }
}
