import { useLocation, useNavigationType } from '@app/platform';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { keepPosition, positionOf, isHistoryNavigation } from './scroll-positions.ts';

/**
 * Scrolls a page when it has loaded. After "back" or "forward" it scrolls to where the visitor left the page; otherwise
 * to the anchor in the address, or to the top. A change of the query alone does not scroll.
 */
export function ScrollRestoration() {
  const { key, pathname, hash } = useLocation();
  const type: string = useNavigationType();
  const shown = useRef<string>(undefined);

  useLayoutEffect(() => {
    const isFirst = shown.current === undefined;
    const isSamePage = shown.current === pathname;
    shown.current = pathname;
    if (type === 'REPLACE' && isSamePage) return;

    const isBack = type === 'POP' && (!isFirst || isHistoryNavigation());
    const left = isBack ? positionOf(key) : undefined;
    const anchor = hash ? document.getElementById(decodeHash(hash)) : null;

    if (left !== undefined) window.scrollTo(0, left);
    else if (anchor) anchor.scrollIntoView();
    else window.scrollTo(0, 0);
  }, [key, pathname, hash, type]);

  useEffect(() => {
    const onScroll = () => keepPosition(key, window.scrollY);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [key]);

  return null;
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
