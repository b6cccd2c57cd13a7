import { act, cleanup, render, waitFor } from '@testing-library/react';
import { createElement, useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const onScrollTo = vi.fn();

beforeEach(() => {
  vi.resetModules();
  onScrollTo.mockClear();
  vi.stubGlobal('scrollTo', onScrollTo);
  history.replaceState(null, '', '/v5');
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

function scrollTo(pixels: number): void {
  vi.stubGlobal('scrollY', pixels);
  window.dispatchEvent(new Event('scroll'));
}

/** Leaves the document, and opens another one in the same tab, at the same entry. */
async function openDocument() {
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  vi.resetModules();
  vi.stubGlobal('scrollY', 0);
  return open();
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

test('hydration does not move a page that has been scrolled', async () => {
  scrollTo(700);
  await open();

  expect(onScrollTo).not.toHaveBeenCalled();
});

test('a new page starts at its top, and going back restores the scroll position', async () => {
  const go = await open();
  scrollTo(700);
  await go('/plans');
  await expect.poll(() => onScrollTo).toHaveBeenLastCalledWith(0, 0);

  scrollTo(0);
  await go(-1);
  await expect.poll(() => onScrollTo).toHaveBeenLastCalledWith(0, 700);
});

test('the browser scrolls the first page of a document, without the positions of the tab', async () => {
  sessionStorage.setItem('scroll-positions', '[["/v5",700]]');
  await open();

  expect(onScrollTo).not.toHaveBeenCalled();
});

test('going back to a page of another document restores the scroll position', async () => {
  const go = await open();
  scrollTo(700);
  await go('/plans');
  const backInNext = await openDocument();
  onScrollTo.mockClear();
  await backInNext(-1);

  expect(onScrollTo).toHaveBeenLastCalledWith(0, 700);
});

test.each(['/check-key#key=AX-1', '/reset-devices#t=secret'])(
  'does not store the secret of %s in the tab',
  async (address) => {
    history.replaceState(null, '', address);
    await open();
    scrollTo(700);
    window.dispatchEvent(new Event('pagehide'));

    expect(sessionStorage.getItem('scroll-positions')).toBe(JSON.stringify([[location.pathname, 700]]));
  },
);

test('scrolling while the next page loads is not saved', async () => {
  const go = await open();
  scrollTo(700);
  history.pushState({ key: 'next' }, '', '/plans');
  scrollTo(10);
  history.back();
  await expect.poll(() => location.pathname).toBe('/v5');
  await go('/neo');
  await go(-1);

  expect(onScrollTo).toHaveBeenLastCalledWith(0, 700);
});

test('scrolls to an anchor that the server-rendered HTML lacked', async () => {
  const part = document.body.appendChild(document.createElement('section'));
  part.id = 'faq';
  const shown = vi.spyOn(part, 'scrollIntoView');
  history.replaceState(null, '', '/v5#faq');
  await open();
  part.remove();

  expect(shown).toHaveBeenCalledOnce();
});

test('a malformed anchor is ignored', async () => {
  const go = await open();
  onScrollTo.mockClear();
  await go('/plans#%E0');

  expect(onScrollTo.mock.calls).toEqual([[0, 0]]);
});

test('a changed query does not scroll', async () => {
  const go = await open();
  scrollTo(700);
  onScrollTo.mockClear();
  await go('/v5?e=KS_FAST', { replace: true });

  expect(onScrollTo).not.toHaveBeenCalled();
});
