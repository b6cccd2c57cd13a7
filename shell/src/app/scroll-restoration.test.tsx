import { act, cleanup, render } from '@testing-library/react';
import { createElement } from 'react';
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
  vi.unstubAllGlobals();
});

function scrollTo(pixels: number): void {
  vi.stubGlobal('scrollY', pixels);
  window.dispatchEvent(new Event('scroll'));
}

/** Opens the first page of a tab. Returns a function that goes to another address of the site. */
async function open() {
  // What was shown before is kept in the module, so each test has its own.
  const { Router } = await import('@app/platform');
  const { useNavigate } = await import('react-router-dom');
  const { ScrollRestoration } = await import('./scroll-restoration.tsx');
  let navigate: ReturnType<typeof useNavigate> | undefined;
  function Page() {
    navigate = useNavigate();
    return createElement(ScrollRestoration);
  }
  render(createElement(Router, null, createElement(Page)));
  return async (...to: [string | number, object?]) => {
    await act(async () => {
      await (navigate as unknown as (...to: unknown[]) => unknown)(...to);
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
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

test('another query of the same page moves nothing', async () => {
  const go = await open();
  scrollTo(700);
  scrolled.mockClear();
  await go('/v5?e=KS_FAST', { replace: true });

  expect(scrolled).not.toHaveBeenCalled();
});
