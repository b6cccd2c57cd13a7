import { expect, test, vi } from 'vitest';
import { ChunkError } from './chunk-error.ts';
import { refreshResolution, candidatesOf, isServerReached, noteFailure, provideResolution } from './releases.ts';

const RELEASE = { version: '2.0.0', source: 'stable' as const, entry: { url: '/x.js', integrity: 'sha384-x' } };

test('a release that fails again in a tab is reported once, also by a visitor who leaves', () => {
  const fetched = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', fetched);
  provideResolution({ revision: 1, units: { news: { ...RELEASE, routes: [] } } });

  for (const isWorthwhile of [true, false])
    expect(noteFailure({ ...RELEASE, unit: 'news' }, new ChunkError('7', 'error'))).toBe(isWorthwhile);

  const body = JSON.stringify({ unit: 'news', version: '2.0.0', failure: 'error' });
  expect(fetched.mock.calls).toEqual([
    ['/api/load-reports', expect.objectContaining({ method: 'POST', keepalive: true, body })],
  ]);
});

test('failures in a page that the browser translates are not reported', () => {
  const fetched = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', fetched);
  document.body.innerHTML = '<p><font><font>Etwas</font></font></p>';
  provideResolution({ revision: 1, units: { translated: { ...RELEASE, routes: [] } } });

  expect(noteFailure({ ...RELEASE, unit: 'translated' }, new Error('removeChild'))).toBe(true);
  expect(fetched).not.toHaveBeenCalled();
  document.body.innerHTML = '';
});

test('waits five seconds for the resolution, then counts the server as unreachable', async () => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit = {}) =>
      new Promise((_, fail) => signal?.addEventListener('abort', () => fail(new Error('It took too long')))),
  );

  let isOver = false;
  const asking = refreshResolution('news').finally(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(4999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await asking;

  expect(isServerReached()).toBe(false);
});

test('when all known releases of a unit have failed the server is asked, and other units keep their versions', async () => {
  const unit = (version: string, lastGood?: string) => ({
    ...RELEASE,
    version,
    routes: [],
    ...(lastGood && { lastGood: { ...RELEASE, version: lastGood } }),
  });
  provideResolution({ revision: 1, units: { blog: unit('2.0.0'), shop: unit('1.0.0') } });
  const now = { revision: 2, units: { blog: unit('2.0.0', '1.0.0'), shop: unit('9.0.0') } };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(now)));

  const tried: string[] = [];
  for await (const release of candidatesOf('blog')) {
    tried.push(`${release.version} ${release.source}`);
    noteFailure(release, new ChunkError('7', 'error'));
  }
  expect(tried).toEqual(['2.0.0 stable', '1.0.0 fallback']);
  expect((await candidatesOf('shop').next()).value).toMatchObject({ version: '1.0.0' });
});
