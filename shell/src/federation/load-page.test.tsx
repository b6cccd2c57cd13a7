import { HOST_API_VERSION } from '@app/contracts/unit';
import type { Resolution } from '@app/contracts/resolution';
import { closeBrowser, openBrowser } from '@app/testing/visit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchChunkElement } from './chunk-elements.ts';
import { HostApiError } from './host-api-error.ts';
import { forgetPage, pageAt } from './load-page.ts';
import { provideResolution } from './releases.ts';

const loadRemote = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock('./runtime.ts', () => ({ runtime: { registerRemotes: () => undefined, loadRemote } }));

beforeEach(() => {
  openBrowser(0);
  loadRemote.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})));
});
afterEach(() => closeBrowser());

function resolve(version: string, contract: string): Resolution {
  const entry = {
    url: `/releases/news/${version}/remoteEntry.js`,
    integrity: 'sha384-x',
    globalName: `news@${version}`,
  };
  return { revision: 1, units: { news: { version, source: 'stable', entry, contract, routes: ['/news'] } } };
}

test('when Retry learns of a version that needs a newer shell, the page is loaded anew, and only then', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(resolve('2.0.0', '999.0'))));
  provideResolution(resolve('1.0.0', '999.0'));
  const page = pageAt('news', '/news');

  await expect(page.preload()).rejects.toThrow(HostApiError);
  expect(reload).not.toHaveBeenCalled();
  page.retry();
  await expect(page.preload()).rejects.toThrow(HostApiError);
  expect(reload).toHaveBeenCalledOnce();
});

function arrive(path: string) {
  return { default: { routes: { [path]: 'Page' }, pages: { Page: () => Promise.resolve(() => null) } } };
}

test('the time of a page ends with its load: what is fetched later has its own', async () => {
  const path = '/news/in-time';
  provideResolution(resolve('3.0.0', HOST_API_VERSION));
  loadRemote.mockResolvedValue(arrive(path));
  await pageAt('news', path).preload();
  const later = document.createElement('script');
  later.src = 'https://site.example/releases/news/3.0.0/static/js/later.js';
  watchChunkElement(later);
  const failed = vi.fn();
  later.onerror = failed;

  await vi.advanceTimersByTimeAsync(120_000);

  expect(failed).not.toHaveBeenCalled();
});

test('a page whose code could not be had is asked for again at the next visit, and one that is there is not', async () => {
  const path = '/news/again';
  provideResolution(resolve('4.0.0', HOST_API_VERSION));
  await expect(pageAt('news', path).preload()).rejects.toThrow('Loading chunk news failed');
  loadRemote.mockResolvedValue(arrive(path));

  forgetPage(path);
  const page = pageAt('news', path);
  await page.preload();
  forgetPage(path);

  expect(pageAt('news', path)).toBe(page);
});
