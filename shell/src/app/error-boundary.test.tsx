import { Router } from '@app/platform';
import { closeBrowser, openBrowser } from '@app/testing/visit';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkError } from '../federation/chunk-error.ts';
import { refreshResolution } from '../federation/releases.ts';
import { ErrorPage } from './error-boundary.tsx';

const SERVER_ERROR_TEXT = 'That’s on us. Press Retry, or come back later.';

beforeEach(() => openBrowser(0));
afterEach(closeBrowser);

/** Shows the error of a load, after the page has asked the server which versions hold. */
async function fail(error: Error, answer: () => Promise<Response>, onRetry = () => undefined as void) {
  vi.stubGlobal('fetch', answer);
  await refreshResolution('tools');
  render(
    <Router>
      <ErrorPage error={error} onRetry={onRetry} />
    </Router>,
  );
  return screen.getByRole('alert').textContent;
}

const answers = () => Promise.resolve(Response.json({ revision: 1, units: {} }));
const refuses = () => Promise.resolve(new Response('', { status: 503 }));
const isOffline = () => Promise.reject(new TypeError('Failed to fetch'));

test.each([
  ['missing', 'the server answers', answers, SERVER_ERROR_TEXT],
  ['error', 'the server answers', answers, SERVER_ERROR_TEXT],
  ['error', 'the server answers with an error', refuses, SERVER_ERROR_TEXT],
  ['error', 'nothing answers', isOffline, 'Can’t reach our server. Check your connection, then press Retry.'],
  ['timeout', 'the server answers', answers, /^The page took too long\./],
] as const)('after a load error “%s” while %s the message names the cause', async (type, _when, answer, words) => {
  expect(await fail(new ChunkError('7', type), answer)).toMatch(words);
});

test('a page that failed to load is retried when the network returns, and a crashed page is not', async () => {
  const onRetry = vi.fn();
  await fail(new ChunkError('7', 'error'), isOffline, onRetry);
  expect(onRetry).not.toHaveBeenCalled();

  window.dispatchEvent(new Event('online'));
  expect(onRetry).toHaveBeenCalledTimes(1);
  cleanup();
  window.dispatchEvent(new Event('online'));
  expect(onRetry).toHaveBeenCalledTimes(1);

  await fail(new Error('The page throws'), answers, onRetry);
  window.dispatchEvent(new Event('online'));
  expect(onRetry).toHaveBeenCalledTimes(1);
});

test('the broken-key drawing loads late without a layout shift', async () => {
  await fail(new Error('The page throws'), answers);
  const art = () => document.querySelector('main > svg');
  expect(art()?.getAttribute('viewBox')).toBe('0 -20 332 74');
  await expect.poll(() => art()?.querySelectorAll('path').length).toBeGreaterThan(2);
});
