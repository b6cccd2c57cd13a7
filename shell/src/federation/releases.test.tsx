import { expect, test, vi } from 'vitest';
import { ChunkError } from './chunk-error.ts';
import { noteFailure, provideResolution } from './releases.ts';

test('a release that fails again in a tab is reported once, also by a visitor who leaves', () => {
  const fetched = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', fetched);
  const release = { version: '2.0.0', source: 'stable' as const, entry: { url: '/x.js', integrity: 'sha384-x' } };
  provideResolution({ revision: 1, units: { news: { ...release, routes: [] } } });

  for (const isWorthwhile of [true, false])
    expect(noteFailure({ ...release, unit: 'news' }, new ChunkError('7', 'error'))).toBe(isWorthwhile);

  const body = JSON.stringify({ unit: 'news', version: '2.0.0', failure: 'error' });
  expect(fetched.mock.calls).toEqual([
    ['/api/load-reports', expect.objectContaining({ method: 'POST', keepalive: true, body })],
  ]);
  vi.unstubAllGlobals();
});
