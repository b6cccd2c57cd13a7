import { lazyPage, Link, Router, useLocation, type LazyPage } from '@app/platform';
import { closeBrowser, openBrowser, advanceTime } from '@app/testing/visit';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.edge';
import { StaticRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PageOutlet } from './page-outlet.tsx';

beforeEach(() => {
  openBrowser(0);
  history.replaceState(null, '', '/first');
  vi.stubGlobal('PerformanceNavigationTiming', Object);
});
afterEach(closeBrowser);

const heading = (words: string) => () => <h1>{words}</h1>;

/** A page whose code is there. */
function loadedPage(words: string): LazyPage {
  const Page = heading(words);
  return { preload: () => Promise.resolve(Page), retry: () => undefined, loaded: () => Page };
}

/** A page whose code does not come. */
const hangingPage = () => lazyPage(() => new Promise(() => undefined));

function Site({ pages }: { pages: Pages }) {
  return (
    <>
      <Link to="/second">Go on</Link>
      <Outlet pages={pages} />
    </>
  );
}

function Outlet({ pages }: { pages: Pages }) {
  const page = pages[useLocation().pathname];
  return page && <PageOutlet page={page} />;
}

type Pages = Readonly<Record<string, LazyPage>>;

function open(pages: Pages) {
  return act(async () => {
    render(
      <Router>
        <Site pages={pages} />
      </Router>,
    );
    await Promise.resolve();
  });
}

async function navigateNext() {
  await act(async () => {
    fireEvent.click(screen.getByText('Go on'));
    await Promise.resolve();
  });
}

test('the previous page stays for three seconds, then a line says that the next one is late', async () => {
  await open({ '/first': loadedPage('First'), '/second': hangingPage() });
  await navigateNext();
  await advanceTime(2900);
  expect(screen.getByRole('heading').textContent).toBe('First');

  await advanceTime(200);
  expect(screen.queryByText('First')).toBeNull();
  await advanceTime(100);
  expect(screen.getByText(/^Still loading/).closest('[role=status]')).not.toBeNull();
});

test('a page that loads late says so after three seconds', async () => {
  await open({ '/first': hangingPage() });
  await advanceTime(2900);
  expect(screen.queryByText(/^Still loading/)).toBeNull();
  await advanceTime(200);
  expect(screen.getByText(/^Still loading/)).toBeDefined();
});

test('the visitor can navigate while a server-rendered page waits for its code', async () => {
  const root = document.createElement('div');
  document.body.append(root);
  root.innerHTML = renderToString(
    <StaticRouter location="/first">
      <Site pages={{ '/first': loadedPage('First') }} />
    </StaticRouter>,
  );
  const hydrated = hydrateRoot(
    root,
    <Router>
      <Site pages={{ '/first': hangingPage(), '/second': loadedPage('Second') }} />
    </Router>,
  );
  await advanceTime(1000);
  expect(screen.getByRole('heading').textContent).toBe('First');

  await navigateNext();
  await advanceTime(1000);
  expect(screen.getByRole('heading').textContent).toBe('Second');
  act(() => hydrated.unmount());
  root.remove();
});

test('a visitor can navigate from a failed page to the next', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const Gone = () => {
    throw new Error('Gone');
  };
  const gone: LazyPage = { preload: () => Promise.resolve(Gone), retry: () => undefined, loaded: () => Gone };
  await open({ '/first': gone, '/second': loadedPage('Second') });
  expect(screen.getByRole('heading').textContent).toBe('This page stopped working');

  await navigateNext();
  await advanceTime(100);
  expect(screen.getByRole('heading').textContent).toBe('Second');
});

test('the error page scrolls to its top and focuses its heading', async () => {
  // React logs what a boundary has caught.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const gone = lazyPage(() => Promise.reject(new Error('Gone')));
  await open({ '/first': loadedPage('First'), '/second': gone });
  window.scrollTo(0, 900);
  expect(window.scrollY).toBe(900);
  await navigateNext();
  await advanceTime(100);

  expect(document.activeElement?.textContent).toBe('This page stopped working');
  expect(window.scrollY).toBe(0);
});
