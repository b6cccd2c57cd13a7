import { HOST_API_VERSION } from '@app/contracts/unit';
import type { Resolution } from '@app/contracts/resolution';
import { provideSiteSettings } from '@app/platform';
import { SITE_SETTINGS } from '@app/testing/site-settings';
import { closeBrowser, openBrowser } from '@app/testing/visit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchChunkElement } from './chunk-elements.ts';
import { ChunkError } from './chunk-error.ts';
import { HostApiError } from './host-api-error.ts';
import { forgetPage, pageAt, preloadPage } from './load-page.ts';
import { provideResolution } from './releases.ts';

const loadRemote = vi.hoisted(() => vi.fn<(id: string) => Promise<unknown>>());
vi.mock('./runtime.ts', () => ({ runtime: { registerRemotes: () => undefined, loadRemote } }));

beforeEach(() => {
  openBrowser(0);
  loadRemote.mockReset().mockResolvedValue(undefined);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})));
});
afterEach(() => closeBrowser());

function resolve(version: string, contract = HOST_API_VERSION): Resolution {
  const entry = {
    url: `/releases/news/${version}/remoteEntry.js`,
    integrity: 'sha384-x',
    globalName: `news@${version}`,
  };
  return { revision: 1, units: { news: { version, source: 'stable', entry, contract, routes: ['/news'] } } };
}

test('Retry reloads the document when the version needs a newer shell', async () => {
  const reload = spyOnReload();
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(resolve('2.0.0', '999.0'))));
  provideResolution(resolve('1.0.0', '999.0'));
  const page = pageAt('news', '/news');

  await expect(page.preload()).rejects.toThrow(HostApiError);
  expect(reload).not.toHaveBeenCalled();
  page.retry();
  await expect(page.preload()).rejects.toThrow(HostApiError);
  expect(reload).toHaveBeenCalledOnce();
});

/** A remote that has one page. */
function remoteWithPage(path: string, Page: () => Promise<unknown> = () => Promise.resolve(() => null)) {
  return { default: { routes: { [path]: 'Page' }, pages: { Page } } };
}

const spyOnReload = () => vi.spyOn(location, 'reload').mockReturnValue(undefined);

test('the timeout of a page ends with its load', async () => {
  const path = '/news/in-time';
  provideResolution(resolve('3.0.0'));
  loadRemote.mockResolvedValue(remoteWithPage(path));
  await pageAt('news', path).preload();
  const later = document.createElement('script');
  later.src = 'https://site.example/releases/news/3.0.0/static/js/later.js';
  watchChunkElement(later);
  const failed = vi.fn();
  later.onerror = failed;

  await vi.advanceTimersByTimeAsync(120_000);

  expect(failed).not.toHaveBeenCalled();
});

test('a page whose code failed to load is requested again at the next visit, and a loaded one is not', async () => {
  const path = '/news/again';
  provideResolution(resolve('4.0.0'));
  await expect(pageAt('news', path).preload()).rejects.toThrow('Loading chunk news failed');
  loadRemote.mockResolvedValue(remoteWithPage(path));

  forgetPage(path);
  const page = pageAt('news', path);
  await page.preload();
  forgetPage(path);

  expect(pageAt('news', path)).toBe(page);
});

test('when Retry fails to load the code too, the document stays', async () => {
  const reload = spyOnReload();
  provideResolution(resolve('4.1.0'));
  const page = pageAt('news', '/news/still-away');
  await expect(page.preload()).rejects.toThrow(ChunkError);
  page.retry();

  await expect(page.preload()).rejects.toThrow(ChunkError);
  expect(reload).not.toHaveBeenCalled();
});

test('a page loads independently of failures of other remotes', async () => {
  const path = '/news/alone';
  const { news } = resolve('3.2.0').units;
  const blog = { ...news!, routes: ['/blog'], entry: { url: '/blog.js', integrity: 'x', globalName: 'blog' } };
  const resolution = { revision: 1, units: { blog, news: { ...news!, routes: [path] } } };
  provideResolution(resolution);
  loadRemote.mockImplementation((id) =>
    id === 'blog/remote' ? new Promise(() => undefined) : Promise.resolve(remoteWithPage(path)),
  );

  await preloadPage(resolution, path);
  expect(loadRemote.mock.calls).toEqual([['news@3.2.0/remote']]);
});

test('a page that loaded while it was frozen does not time out', async () => {
  const path = '/news/frozen';
  provideSiteSettings({ ...SITE_SETTINGS, chunkTimeoutMs: 5000 });
  provideResolution(resolve('3.1.0'));
  const entry = document.createElement('script');
  entry.src = 'https://site.example/releases/news/3.1.0/remoteEntry.js';
  loadRemote.mockImplementation(
    () =>
      new Promise((arrived, fail) => {
        entry.onload = () => arrived(remoteWithPage(path));
        entry.onerror = () => fail(new ChunkError('news', 'timeout'));
        watchChunkElement(entry);
      }),
  );
  const loading = pageAt('news', path).preload();
  await vi.advanceTimersByTimeAsync(4900);

  // Timers that fell due in the back/forward cache run before the script's own event.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 7000);
  await vi.advanceTimersByTimeAsync(100);
  entry.onload?.(new Event('load'));
  await expect(loading).resolves.toBeDefined();
});

test('a hanging import times out', async () => {
  const path = '/news/hanging';
  provideSiteSettings({ ...SITE_SETTINGS, chunkTimeoutMs: 5000 });
  provideResolution(resolve('3.3.0'));
  loadRemote.mockResolvedValue(remoteWithPage(path, () => new Promise(() => undefined)));
  const failed = expect(pageAt('news', path).preload()).rejects.toMatchObject({
    message: 'Loading chunk news failed',
    type: 'timeout',
  });

  await vi.advanceTimersByTimeAsync(5100);
  await failed;
});

test('Retry reloads the document for a module that the browser does not import again', async () => {
  const path = '/news/not-imported';
  provideResolution(resolve('3.4.0'));
  const error = new TypeError('error loading dynamically imported module: https://host/page.js');
  loadRemote.mockResolvedValue(remoteWithPage(path, () => Promise.reject(error)));
  const reload = spyOnReload();
  const page = pageAt('news', path);
  await expect(page.preload()).rejects.toThrow('Loading chunk news failed');
  expect(reload).not.toHaveBeenCalled();

  page.retry();
  await expect(page.preload()).rejects.toThrow('Loading chunk news failed');
  expect(reload).toHaveBeenCalledOnce();
});

describe('code that throws while it is loaded', () => {
  const path = '/news/throwing';
  const error = new TypeError('planted');
  // What the bundler gives out from the second time on.
  const halfFilled = { default: {} };

  /** Lets a page throw, or the remote itself, as no other release of the test does. */
  function plant(where: string) {
    provideResolution(resolve(`5.${where.length}.0`));
    if (where === 'remote') loadRemote.mockRejectedValueOnce(error).mockResolvedValue(halfFilled);
    else {
      const Page = vi.fn().mockRejectedValueOnce(error).mockResolvedValue(undefined);
      loadRemote.mockResolvedValue(remoteWithPage(path, Page));
    }
    return spyOnReload();
  }

  test.each(['page', 'remote'])(
    'throws its first error at every visit (%s), and Retry reloads the document',
    async (where) => {
      const reload = plant(where);
      await expect(pageAt('news', path).preload()).rejects.toBe(error);
      forgetPage(path);
      const page = pageAt('news', path);
      await expect(page.preload()).rejects.toBe(error);
      expect(reload).not.toHaveBeenCalled();

      page.retry();
      await expect(page.preload()).rejects.toBe(error);
      expect(reload).toHaveBeenCalledOnce();
      forgetPage(path);
    },
  );

  test('does not prevent other pages of its unit from loading', async () => {
    plant('neighbour');
    const [other, Other] = ['/news/neighbour', () => null];
    const pages = { Page: () => Promise.reject(error), Other: () => Promise.resolve(Other) };
    loadRemote.mockResolvedValue({ default: { routes: { [path]: 'Page', [other]: 'Other' }, pages } });
    await expect(pageAt('news', path).preload()).rejects.toBe(error);
    forgetPage(path);

    await expect(pageAt('news', other).preload()).resolves.toBeDefined();
  });

  test('is replaced by another release on Retry, where the server has one', async () => {
    const reload = plant('release');
    const page = pageAt('news', path);
    await expect(page.preload()).rejects.toBe(error);
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(resolve('6.0.0'))));
    loadRemote.mockResolvedValue(remoteWithPage(path));

    page.retry();
    await page.preload();
    expect(reload).not.toHaveBeenCalled();
  });
});

/** Translations of a unit that has these texts. Keeps the scripts that the page would fetch for them. */
function translate() {
  const translations = { url: '/releases/news/5.0.0/vi.js', integrity: 'sha384-texts' };
  const { revision, units } = resolve('5.0.0');
  provideResolution({ revision, units: { news: { ...units['news']!, translations } } });
  const scripts: HTMLScriptElement[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((node) => void scripts.push(node as HTMLScriptElement));
  return scripts;
}

test.each(['load', 'error'] as const)(
  'the code of a page runs after the texts of its unit have loaded or failed (%s)',
  async (end) => {
    const path = `/news/translated/${end}`;
    const started = vi.fn(() => Promise.resolve(() => null));
    loadRemote.mockResolvedValue(remoteWithPage(path, started));
    const scripts = translate();
    const page = pageAt('news', path);
    const loading = page.preload();
    await vi.advanceTimersByTimeAsync(1000);

    expect(scripts).toEqual([
      expect.objectContaining({ integrity: 'sha384-texts', src: expect.stringContaining('/vi.js') as string }),
    ]);
    expect(started).not.toHaveBeenCalled();
    scripts[0]?.[`on${end}`]?.(new Event(end));
    await vi.advanceTimersByTimeAsync(0);
    // What has failed is asked for once more.
    expect(scripts).toHaveLength(end === 'error' ? 2 : 1);
    scripts[1]?.onerror?.(new Event('error'));
    await loading;
    expect(started).toHaveBeenCalledOnce();
  },
);

test('waits three seconds for late texts', async () => {
  const path = '/news/translated/hung';
  loadRemote.mockResolvedValue(remoteWithPage(path));
  translate();
  const page = pageAt('news', path);
  const loading = page.preload();
  await vi.advanceTimersByTimeAsync(2999);
  expect(page.loaded()).toBeUndefined();

  await vi.advanceTimersByTimeAsync(1);
  await loading;
  expect(page.loaded()).toBeDefined();
});

test('texts in the document are not fetched again', async () => {
  const path = '/news/translated/already';
  vi.stubGlobal('translations', { locale: 'vi', texts: { news: {} } });
  loadRemote.mockResolvedValue(remoteWithPage(path));
  const scripts = translate();

  await pageAt('news', path).preload();
  expect(scripts).toEqual([]);
});
