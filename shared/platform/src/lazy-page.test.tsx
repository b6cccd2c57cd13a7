import { startTransition, Suspense, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server.edge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lazyPage, ShowLazyPage, type LazyPage } from './lazy-page.tsx';

const isAlive = vi.fn();

function Home() {
  useEffect(isAlive);
  return <h1>Home</h1>;
}

let container: HTMLElement;
let root: Root;
let reportedErrors: unknown[];
const onRecoverableError = (error: unknown) => void reportedErrors.push(error);

beforeEach(() => {
  // React works in slices here, as it does in browsers.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  container = document.createElement('div');
  reportedErrors = [];
  isAlive.mockClear();
});
afterEach(() => {
  root.unmount();
});

function inErrorBoundary(page: LazyPage) {
  return (
    <Suspense fallback="Loading">
      <ShowLazyPage page={page} />
    </Suspense>
  );
}

test('renders a page whose code arrives during the render', async () => {
  root = createRoot(container, { onRecoverableError });
  startTransition(() => root.render(inErrorBoundary(lazyPage(() => Promise.resolve(Home)))));

  await expect.poll(() => container.textContent).toBe('Home');
  expect(reportedErrors).toEqual([]);
});

test('keeps server-rendered elements when the code arrives during hydration', async () => {
  const there = { preload: () => Promise.resolve(Home), retry: () => undefined, loaded: () => Home };
  container.innerHTML = renderToString(inErrorBoundary(there));
  const heading = container.querySelector('h1');
  const load = vi.fn(() => Promise.resolve(Home));
  startTransition(() => {
    root = hydrateRoot(container, inErrorBoundary(lazyPage(load)), { onRecoverableError });
  });

  await expect.poll(() => isAlive).toHaveBeenCalled();
  expect(load).toHaveBeenCalledTimes(1);
  expect(reportedErrors).toEqual([]);
  expect(container.querySelector('h1')).toBe(heading);
});

test('loads the code once for two preloads', async () => {
  const load = vi.fn(() => Promise.resolve(Home));
  const page = lazyPage(load);

  await Promise.all([page.preload(), page.preload()]);

  expect(load).toHaveBeenCalledTimes(1);
  expect(page.loaded()).toBe(Home);
});

test('stays failed until a retry', async () => {
  const load = vi.fn(() => Promise.resolve(Home)).mockRejectedValueOnce(new Error('offline'));
  const page = lazyPage(load);

  await expect(page.preload()).rejects.toThrow('offline');
  await expect(page.preload()).rejects.toThrow('offline');
  expect(load).toHaveBeenCalledTimes(1);

  page.retry();
  await expect(page.preload()).resolves.toBe(Home);
});
