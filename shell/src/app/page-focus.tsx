import { useLocation } from '@app/platform';
import { useLayoutEffect } from 'react';
import { useIsMenuOpen } from '../features/navbar/navbar-store.ts';

/** The path that has the focus already; at first the one of the document, whose focus is the browser's. */
let focusedPath: string | undefined = typeof location === 'undefined' ? undefined : location.pathname;

/** Lets the page take the focus when it is shown next, also if it had it before: what had it meanwhile is gone. */
export function forgetFocus(): void {
  focusedPath = undefined;
}

/** Gives each page that is reached without a page load the focus, once it is there. Nothing scrolls for it. */
export function PageFocus() {
  const { pathname, hash } = useLocation();
  const isMenuOpen = useIsMenuOpen();

  useLayoutEffect(() => {
    // Behind the open menu the page takes no focus.
    if (isMenuOpen || focusedPath === pathname) return;

    focusedPath = pathname;
    focusPage({ preventScroll: true, anchor: hash.slice(1) });
  }, [pathname, hash, isMenuOpen]);

  return null;
}

/** To the heading, so that a screen reader reads it out. @param anchor the id of a part that is to have it instead */
export function focusPage({ anchor, ...options }: FocusOptions & { anchor?: string } = {}): void {
  const main = document.querySelector('main');
  const part = anchor ? document.getElementById(anchor) : null;
  const target = part ?? main?.querySelector('h1') ?? main;
  if (!target) return;

  target.tabIndex = -1;
  target.focus(options);
}
