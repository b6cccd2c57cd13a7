import { expect, test, vi } from 'vitest';
import { lazyPage } from './lazy-page.tsx';

const Home = () => null;

test('a page that is preloaded twice is fetched once', async () => {
  const load = vi.fn(() => Promise.resolve(Home));
  const page = lazyPage(load);

  await Promise.all([page.preload(), page.preload()]);

  expect(load).toHaveBeenCalledTimes(1);
  expect(page.loaded()).toBe(Home);
});

test('a failure is remembered until a retry', async () => {
  const load = vi.fn(() => Promise.resolve(Home)).mockRejectedValueOnce(new Error('offline'));
  const page = lazyPage(load);

  await expect(page.preload()).rejects.toThrow('offline');
  await expect(page.preload()).rejects.toThrow('offline');
  expect(load).toHaveBeenCalledTimes(1);

  page.retry();
  await expect(page.preload()).resolves.toBe(Home);
});
