import type { Resolution } from '@app/contracts/resolution';
import { Link, Router, useLocation, type LazyPage, type RemoteModule } from '@app/platform';
import { closeBrowser, openBrowser, advanceTime } from '@app/testing/visit';
import { act, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server.edge';
import { StaticRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkError } from '../federation/chunk-error.ts';
import { forgetKeptPage, keepPage, useKeptPage } from '../federation/kept-page.ts';
import { preloadPage } from '../federation/load-page.ts';
import { pageOfRelease } from '../federation/page-of-release.tsx';
import { provideResolution } from '../federation/releases.ts';
import { KeptPageNotice } from './kept-page-notice.tsx';
import { PageOutlet } from './page-outlet.tsx';
import { UnitPage } from './unit-page.tsx';

/** The answer of the federation runtime for the code of the unit. */
let answer: () => Promise<RemoteModule>;
vi.mock('../federation/runtime.ts', () => ({
  runtime: { registerRemotes: () => undefined, loadRemote: async () => ({ default: await answer() }) },
}));

const News = () => <h1>News</h1>;
const REMOTE: RemoteModule = {
  routes: { '/news': 'news', '/other': 'other' },
  pages: { news: () => Promise.resolve(News), other: () => Promise.resolve(() => <h1>Other</h1>) },
};
const failToLoad = () => Promise.reject(new ChunkError('602', 'error'));
const there = () => Promise.resolve(REMOTE);

const ENTRY = { url: '/remoteEntry.js', integrity: 'sha384-x', globalName: 'news@1.0.0' };
const RESOLUTION: Resolution = {
  revision: 1,
  units: { news: { version: '1.0.0', source: 'stable', entry: ENTRY, routes: ['/news', '/other'] } },
};

let root: Root | undefined;
beforeEach(() => {
  openBrowser(0);
  history.replaceState(null, '', '/news');
  vi.stubGlobal('PerformanceNavigationTiming', Object);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});
afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
  sessionStorage.clear();
  closeBrowser();
});

function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <Link to="/other">Go on</Link>
      <Link to="/news">Go back</Link>
      {children}
      <KeptPageNotice />
    </>
  );
}

function CurrentPage() {
  useLocation();
  return <UnitPage unit="news" />;
}

/** Opens the page in a document that has its HTML. Returns its heading. */
async function open(): Promise<Element | null> {
  const page = pageOfRelease(News, { unit: 'news', version: '1.0.0' });
  const ready: LazyPage = { preload: () => Promise.resolve(page), retry: () => undefined, loaded: () => page };
  document.body.innerHTML = `<div id="root">${renderToString(
    <StaticRouter location="/news">
      <Frame>
        <PageOutlet page={ready} />
      </Frame>
    </StaticRouter>,
  )}</div>`;
  const heading = document.querySelector('h1');
  provideResolution(RESOLUTION);
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(Response.json(RESOLUTION))),
  );
  await act(async () => {
    void preloadPage(RESOLUTION, '/news', true);
    root = hydrateRoot(
      document.querySelector('#root')!,
      <Router>
        <Frame>
          <CurrentPage />
        </Frame>
      </Router>,
    );
    return Promise.resolve();
  });
  await advanceTime(500);
  return heading;
}

async function click(words: string) {
  await act(async () => {
    fireEvent.click(screen.getByText(words));
    await Promise.resolve();
  });
  await advanceTime(500);
}

const source = () => document.querySelector('[data-source]')?.querySelector('h1')?.textContent;

test('a page whose code failed to load stays with a notice, and a retry hydrates the same nodes', async () => {
  answer = failToLoad;
  const heading = await open();
  expect(screen.getByRole('heading')).toBe(heading);
  expect(screen.getByRole('alert')).toBeDefined();
  expect(screen.getByText('Loading chunk 602 failed (error)').closest('details')?.open).toBe(false);

  answer = () => Promise.reject(new ChunkError('602', 'missing'));
  await click('Try again');
  expect(screen.getByText('Loading chunk 602 failed (missing)')).toBeDefined();

  answer = there;
  const asked = vi.mocked(fetch).mock.calls.length;
  await click('Try again');
  expect(vi.mocked(fetch).mock.calls.length).toBeGreaterThan(asked);
  expect(source()).toBe('News');
  expect(screen.getByRole('heading')).toBe(heading);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a server-rendered page stays until its own code loads', () => {
  const kept = { path: '/news', error: new Error('planted'), tryAgain: () => Promise.resolve() };
  keepPage(kept);

  forgetKeptPage('/other');
  expect(useKeptPage.getState()).toEqual({ kept });
  forgetKeptPage('/news');
  expect(useKeptPage.getState()).toEqual({ kept: undefined });
});

test('returning to a page whose code failed to load requests the code again', async () => {
  answer = failToLoad;
  await open();
  answer = there;
  await click('Go on');
  expect(source()).toBe('Other');
  expect(screen.queryByRole('alert')).toBeNull();

  await click('Go back');
  expect(source()).toBe('News');
});

test('shows no notice about the previous page on the next page', async () => {
  let fail: () => void = () => undefined;
  answer = () => new Promise((_, reject) => (fail = () => reject(new ChunkError('602', 'error'))));
  await open();
  const first = fail;
  answer = there;
  await click('Go on');
  answer = failToLoad;
  first();
  await advanceTime(500);

  expect(source()).toBe('Other');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('offers no retry for a page that failed after the visitor left', async () => {
  let fail: (error: Error) => void = () => undefined;
  answer = () => new Promise((_, reject) => (fail = reject));
  await open();
  answer = there;
  await click('Go on');
  await act(async () => {
    fail(new ChunkError('602', 'timeout'));
    await Promise.resolve();
  });
  await click('Go back');

  expect(useKeptPage.getState().kept).toBeUndefined();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(source()).toBe('News');
});
