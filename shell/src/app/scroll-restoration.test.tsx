import { act, cleanup, render, waitFor } from '@testing-library/react';
import { createElement, useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const scrolled = vi.fn();

beforeEach(() => {
  vi.resetModules();
  scrolled.mockClear();
  vi.stubGlobal('scrollTo', scrolled);
  vi.stubGlobal('PerformanceNavigationTiming', Object);
  history.replaceState(null, '', '/v5');
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function scrollTo(pixels: number): void {
  vi.stubGlobal('scrollY', pixels);
  window.dispatchEvent(new Event('scroll'));
}

/** The documents from here on are opened with "back" or "forward". */
function comeByHistory() {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'back_forward' } as PerformanceNavigationTiming]);
}

/** Leaves the document, and opens another one in the same tab. */
async function openDocument(path: string) {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  vi.resetModules();
  vi.stubGlobal('scrollY', 0);
  history.replaceState(null, '', path);
  await open();
}

/** Opens the first page of a tab. Returns a function that goes to another address of the site. */
async function open() {
  // What was shown before is kept in the module, so each test has its own.
  const { Router, useLocation } = await import('@app/platform');
  const { useNavigate } = await import('react-router-dom');
  const { ScrollRestoration } = await import('./scroll-restoration.tsx');
  let navigate: ReturnType<typeof useNavigate> | undefined;
  let shown: string | undefined;
  function Page() {
    navigate = useNavigate();
    const { key } = useLocation();
    useEffect(() => {
      shown = key;
    });
    return createElement(ScrollRestoration);
  }
  render(createElement(Router, null, createElement(Page)));
  return async (...to: [string | number, object?]) => {
    const before = shown;
    await act(async () => {
      await (navigate as unknown as (...to: unknown[]) => unknown)(...to);
    });
    await waitFor(() => expect(shown).not.toBe(before));
  };
}

test('a page that somebody reads already does not move when it starts to work', async () => {
  scrollTo(700);
  await open();

  expect(scrolled).not.toHaveBeenCalled();
});

test('the next page begins at its top, and the one before is where it was left', async () => {
  const go = await open();
  scrollTo(700);
  await go('/plans');
  await vi.waitFor(() => expect(scrolled).toHaveBeenLastCalledWith(0, 0));

  scrollTo(0);
  await go(-1);
  await vi.waitFor(() => expect(scrolled).toHaveBeenLastCalledWith(0, 700));
});

test('a new visit begins at the top, wherever the tab was before', async () => {
  sessionStorage.setItem('scroll-positions', '[["/v5",700]]');
  await open();

  expect(scrolled).not.toHaveBeenCalled();

  comeByHistory();
  await openDocument('/v5');
  expect(scrolled).toHaveBeenLastCalledWith(0, 0);
});

test('each document of a tab comes back to where it was left itself', async () => {
  comeByHistory();
  await openDocument('/plans');
  scrollTo(700);
  await openDocument('/success-plus');
  scrollTo(0);
  await openDocument('/plans');
  expect(scrolled).toHaveBeenLastCalledWith(0, 700);

  await openDocument('/success-plus');
  expect(scrolled).toHaveBeenLastCalledWith(0, 0);
});

test('an anchor that nobody can read stops no page', async () => {
  const go = await open();
  scrolled.mockClear();
  await go('/plans#%E0');

  expect(scrolled.mock.calls).toEqual([[0, 0]]);
});

test('another query of the same page moves nothing', async () => {
  const go = await open();
  scrollTo(700);
  scrolled.mockClear();
  await go('/v5?e=KS_FAST', { replace: true });

  expect(scrolled).not.toHaveBeenCalled();
});
