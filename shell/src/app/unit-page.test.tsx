import type { LoadReport } from '@app/contracts/page-reports';
import type { Resolution, ResolvedUnit } from '@app/contracts/resolution';
import { closeBrowser, openBrowser, advanceTime } from '@app/testing/visit';
import { Router, type RemoteModule } from '@app/platform';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkError } from '../federation/chunk-error.ts';
import { provideResolution } from '../federation/releases.ts';
import { UnitPage } from './unit-page.tsx';

/** What each release of a unit does when the federation runtime loads it, by the name of its container. */
const containers = new Map<string, () => RemoteModule>();
const requests: string[] = [];
vi.mock('../federation/runtime.ts', () => ({
  runtime: {
    registerRemotes: () => undefined,
    loadRemote: async (id: string) => {
      requests.push(id);
      return Promise.resolve({ default: containers.get(id.replace('/remote', ''))?.() });
    },
  },
}));

const reports: LoadReport[] = [];
let serverResolution: Resolution | undefined;
let [tests, unit] = [0, ''];

beforeEach(() => {
  // What has failed in a tab is remembered, so each test has a unit of its own.
  openTab(`unit-${(tests += 1)}`);
  requests.length = 0;
  reports.length = 0;
  serverResolution = undefined;
});
afterEach(() => {
  closeBrowser();
  sessionStorage.clear();
});

/** Opens a tab at the page of a unit. */
function openTab(name: string) {
  unit = name;
  openBrowser(0);
  history.replaceState(null, '', `/${unit}`);
  // React logs what a boundary has caught.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.stubGlobal('PerformanceNavigationTiming', Object);
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit = {}) => {
    if (path === '/api/load-reports') reports.push(JSON.parse(body as string) as LoadReport);
    else if (serverResolution) return Promise.resolve(Response.json(serverResolution));
    return Promise.reject(new TypeError('offline'));
  });
}

function entryOf(version: string) {
  const globalName = `${unit}@${version}`;
  return { url: `/releases/${unit}/${version}/remoteEntry.js`, integrity: 'sha384-x', globalName };
}

/** A resolution with these versions of the unit. */
function resolve(version: string, lastGood?: string, changes: Partial<ResolvedUnit> = {}): Resolution {
  const chosen: ResolvedUnit = {
    version,
    source: 'stable',
    entry: entryOf(version),
    routes: [`/${unit}`],
    ...(lastGood && { lastGood: { version: lastGood, entry: entryOf(lastGood) } }),
    ...changes,
  };
  return { revision: 1, units: { [unit]: chosen } };
}

/** Says what happens when a version of the unit is loaded. */
function serve(version: string, load: () => RemoteModule) {
  containers.set(`${unit}@${version}`, load);
}

function rendersHeading(words: string): () => RemoteModule {
  return () => ({
    routes: { [`/${unit}`]: 'page', [`/${unit}/other`]: 'page' },
    pages: { page: () => Promise.resolve(() => <h1>{words}</h1>) },
  });
}

function fails(type: 'missing' | 'error' | 'timeout'): () => never {
  return () => {
    throw new ChunkError('7', type);
  };
}

function crashes(): RemoteModule {
  const Page = (): never => {
    throw new TypeError('planted');
  };
  return { routes: { [`/${unit}`]: 'page' }, pages: { page: () => Promise.resolve(Page) } };
}

/** How long React may hold a Suspense fallback. */
const FALLBACK_MS = 300;

async function open(resolution: Resolution) {
  provideResolution(resolution);
  await act(async () => {
    render(
      <Router>
        <UnitPage unit={unit} />
      </Router>,
    );
    await Promise.resolve();
  });
  await advanceTime(FALLBACK_MS);
}

function shownHeading() {
  const heading = screen.getByRole('heading', { level: 1 });
  const { version, source } = heading.closest<HTMLElement>('[data-unit]')?.dataset ?? {};
  return { words: heading.textContent, version, source };
}

async function retry() {
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await Promise.resolve();
  });
  await advanceTime(FALLBACK_MS);
}

test('a failed load is retried once without a notice', async () => {
  const load = vi.fn(rendersHeading('New')).mockImplementationOnce(fails('error'));
  serve('2.0.0', load);
  await open(resolve('2.0.0', '1.0.0'));

  expect(shownHeading()).toEqual({ words: 'New', version: '2.0.0', source: 'stable' });
  expect(reports).toEqual([]);
});

/** Throws while it is loaded. */
const throws = (): never => {
  throw new TypeError('planted');
};

test.each([
  { failure: 'missing', load: fails('missing'), tries: 2 },
  { failure: 'error', load: fails('error'), tries: 2 },
  { failure: 'crashed', load: throws, tries: 1 },
  { failure: 'crashed', load: crashes, tries: 1 },
])(
  'a release that fails ($failure) after $tries tries falls back to the last good one, with one report',
  async ({ failure, load, tries }) => {
    serve('2.0.0', load);
    serve('1.0.0', rendersHeading('Old'));
    await open(resolve('2.0.0', '1.0.0'));

    expect(shownHeading()).toEqual({ words: 'Old', version: '1.0.0', source: 'fallback' });
    expect(requests).toEqual([...Array<string>(tries).fill(`${unit}@2.0.0/remote`), `${unit}@1.0.0/remote`]);
    expect(reports).toEqual([{ unit, version: '2.0.0', failure }]);
  },
);

test('a failed release is not retried in the same tab', async () => {
  serve('2.0.0', fails('error'));
  serve('1.0.0', rendersHeading('Old'));
  await open(resolve('2.0.0', '1.0.0'));
  requests.length = 0;

  closeBrowser();
  openTab(unit);
  history.replaceState(null, '', `/${unit}/other`);
  await open(resolve('2.0.0', '1.0.0'));

  expect(shownHeading().words).toBe('Old');
  expect(requests).toEqual([`${unit}@1.0.0/remote`]);
  expect(sessionStorage.getItem('failed-releases')).toContain(`${unit}@2.0.0`);
});

test('a timeout shows the error page, and Retry loads the last good version', async () => {
  serve('2.0.0', fails('timeout'));
  serve('1.0.0', rendersHeading('Old'));
  await open(resolve('2.0.0', '1.0.0'));

  expect(screen.getByText('Loading chunk 7 failed (timeout)')).toBeDefined();
  expect(requests).toHaveLength(1);
  expect(reports).toEqual([{ unit, version: '2.0.0', failure: 'timeout' }]);

  await retry();
  expect(shownHeading()).toEqual({ words: 'Old', version: '1.0.0', source: 'fallback' });
});

test('the error page comes when all versions fail, and Retry loads the current release', async () => {
  serve('2.0.0', fails('error'));
  serve('1.0.0', fails('missing'));
  serve('3.0.0', rendersHeading('Repaired'));
  await open(resolve('2.0.0', '1.0.0'));
  expect(screen.getByText('Loading chunk 7 failed (missing)')).toBeDefined();

  serverResolution = resolve('3.0.0', '2.0.0');
  await retry();
  expect(shownHeading()).toEqual({ words: 'Repaired', version: '3.0.0', source: 'stable' });
});

test('Retry loads the only version again, also without an answer from the server', async () => {
  const load = vi
    .fn(rendersHeading('New'))
    .mockImplementationOnce(fails('error'))
    .mockImplementationOnce(fails('error'));
  serve('2.0.0', load);
  await open(resolve('2.0.0'));
  expect(screen.getByText('Loading chunk 7 failed (error)')).toBeDefined();

  await retry();
  expect(shownHeading().words).toBe('New');
  expect(reports).toHaveLength(1);
});

test('a page that throws in every version ends on the error page', async () => {
  serve('2.0.0', crashes);
  serve('1.0.0', crashes);
  await open(resolve('2.0.0', '1.0.0'));

  expect(screen.getByRole('heading', { name: 'This page stopped working' })).toBeDefined();
  expect(reports.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
});

test('a remote that requires a newer host API falls back to the last good version', async () => {
  for (const version of ['2.0.0', '1.0.0']) serve(version, rendersHeading(version));
  await open(resolve('2.0.0', '1.0.0', { contract: '999.0' }));
  expect(shownHeading().words).toBe('1.0.0');

  closeBrowser();
  openTab(`${unit}-alone`);
  await open(resolve('2.0.0', undefined, { contract: '999.0' }));
  expect(screen.getByText(/requires host API 999\.0, the shell provides \d/)).toBeDefined();
});

test('a simulated fault is neither reported nor stored', async () => {
  for (const version of ['2.0.0', '1.0.0']) serve(version, rendersHeading(version));
  await open(resolve('2.0.0', '1.0.0', { fault: 'crashing' }));

  expect(shownHeading()).toMatchObject({ words: '1.0.0', source: 'fallback' });
  expect(reports).toEqual([]);
  expect(sessionStorage.getItem('failed-releases')).toBeNull();
});
