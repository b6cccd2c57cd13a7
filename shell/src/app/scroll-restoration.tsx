import { useLocation, useNavigationType } from '@app/platform';
import { useEffect, useLayoutEffect } from 'react';
import { keepPosition, positionOf, isHistoryNavigation } from './scroll-positions.ts';

/** The path of the page that was shown last; undefined before the first one. */
let shown: string | undefined;

/**
 * Scrolls a page when it has loaded. After "back" or "forward" it scrolls to where the visitor left the page; otherwise
 * to the anchor in the address, or to the top. A change of the query alone does not scroll. Neither does the first page
 * when somebody reads it already, or nothing says where.
 */
export function ScrollRestoration() {
  const { key, pathname, hash } = useLocation();
  const type: string = useNavigationType();
  // The first entry of every document has the same key.
  const entry = key === 'default' ? pathname : key;

  useLayoutEffect(() => {
    const isFirst = shown === undefined;
    const isSamePage = shown === pathname;
    shown = pathname;
    if (type === 'REPLACE' && isSamePage) return;

    const isBack = type === 'POP' && (!isFirst || isHistoryNavigation());
    // A new page is where it belongs. To ask where would lay out all of it at once.
    if (isFirst && !isBack && !hash) return;
    if (isFirst && window.scrollY > 0) return;

    const left = isBack ? positionOf(entry) : undefined;
    const anchor = hash ? document.getElementById(decodeHash(hash)) : null;

    if (left !== undefined) window.scrollTo(0, left);
    else if (anchor) anchor.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [entry, pathname, hash, type]);

  // No event says so where nothing had to move. To ask before the next frame would lay out the page once more.
  useEffect(() => {
    const frame = requestAnimationFrame(() => keepPosition(entry, window.scrollY));
    return () => cancelAnimationFrame(frame);
  }, [entry]);

  // Before the page says that it works, so that no scrolling is missed.
  useLayoutEffect(() => {
    const onScroll = () => keepPosition(entry, window.scrollY);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [entry]);

  return null;
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
