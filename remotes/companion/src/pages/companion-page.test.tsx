import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from '../remote.ts';

const FILE = { available: true, version: '1.0.4', bytes: 2_040_000, sha256: '0123456789abcdef'.repeat(4) };

beforeEach(() => openBrowser(new Date(2026, 2, 10, 12).getTime()));
afterEach(closeBrowser);

const card = () => within(screen.getByRole('region', { name: 'Get RosaverX' }));
const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

test('the download shows its version, size and checksum', async () => {
  serve({ '/api/downloads': () => Response.json({ companion: { android: FILE } }) });
  await visit(remote, '/rosaverx');

  expect(card().getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/download/companion/android');
  expect(card().getByText('This file: version 1.0.4, 2 MB')).toBeDefined();
  expect(card().getByText('01234567…cdef')).toBeDefined();
});

test('without a file the page says so and offers no download', async () => {
  serve({ '/api/downloads': () => Response.json({ v5: { android: FILE } }) });
  await visit(remote, '/rosaverx');

  expect(screen.getByRole('button', { name: 'Not available yet' }).getAttribute('aria-disabled')).toBe('true');
  expect(document.querySelectorAll('a[href^="/download/"]')).toHaveLength(0);
});

test.each([
  ['answers with an error', () => Promise.resolve(new Response('', { status: 503 })), /^That’s on us\. Try again/],
  [
    'does not answer',
    () => Promise.reject(new TypeError('Failed to fetch')),
    /^We couldn’t check if the file is there/,
  ],
])('when the server %s, the visitor can retry', async (_what, answer, words) => {
  const answers = { '/api/downloads': (): Response | Promise<Response> => answer() };
  serve(answers);
  await visit(remote, '/rosaverx');
  expect(card().getByText(words)).toBeDefined();

  answers['/api/downloads'] = () => Response.json({ companion: { android: FILE } });
  fireEvent.click(card().getByRole('button', { name: 'Try again' }));
  await advanceTime(0);
  expect(card().getByRole('link', { name: 'Download' })).toBeDefined();
});

test.each([
  ['?other=1', ''],
  ['?hwid=device-1&zone=zone-1', '?hwid=device-1&zone=zone-1'],
])('with the query %s the links carry “%s”, and the link into the app carries nothing', async (query, carried) => {
  serve({});
  await visit(remote, `/rosaverx${query}`);

  expect(href('Free key')).toBe(`/rosaverx/key-system-1${carried}`);
  expect(href('See the plans')).toBe(`/plans${carried}`);
  expect(href('Open the app')).toBe('roblox://');
});
