import { RESOLUTION_ELEMENT_ID, type Resolution } from '@app/contracts/resolution';
import { closeBrowser, openBrowser, advanceTime, serve } from '@app/testing/visit';
import { Link, Router } from '@app/platform';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeResolution } from '../../test/qa-page.ts';
import { Toasts } from './toasts.tsx';

const HALF_AN_HOUR = 30 * 60_000;
const WORDS = 'There’s a newer version of this site.';

beforeEach(() => openBrowser(0));
afterEach(() => {
  closeBrowser();
  document.getElementById(RESOLUTION_ELEMENT_ID)?.remove();
});

function resolve(version: string, changes: Partial<Resolution> = {}): Resolution {
  const tools = { version, source: 'stable' as const, entry: { url: '/x.js', integrity: 'x' }, routes: [] };
  return { revision: 1, units: { tools }, ...changes };
}

/** Opens a page that is made of tools 1.0.0, and stays there for half an hour. */
async function open(path: string, now: Resolution, made = resolve('1.0.0')) {
  const asking = `/api/federation/resolution?for=${encodeURIComponent(path)}`;
  const answers = { [asking]: () => Response.json(now) };
  serve(answers);
  history.replaceState(null, '', path);
  writeResolution(made);
  render(
    <Router>
      <Link to="/plans">Plans</Link>
      <Toasts />
    </Router>,
  );
  await advanceTime(0);
  await advanceTime(HALF_AN_HOUR);

  return { nowServe: (next: Resolution) => (answers[asking] = () => Response.json(next)) };
}

test('a long-open tab offers a reload when a newer version is released', async () => {
  await open('/plans', resolve('1.1.0'));

  expect(screen.getByText(WORDS)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
});

test('a dismissed offer returns for the next version only', async () => {
  const { nowServe } = await open('/plans', resolve('1.1.0'));
  const offer = screen.getByRole('status');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.animationEnd(offer);
  await advanceTime(1000);
  expect(screen.queryByText(WORDS)).toBeNull();

  await advanceTime(HALF_AN_HOUR);
  expect(screen.queryByText(WORDS)).toBeNull();

  nowServe(resolve('1.2.0'));
  await advanceTime(HALF_AN_HOUR);
  expect(screen.getByText(WORDS)).toBeDefined();
});

test('an unanswered offer stays when the same versions are polled again', async () => {
  await open('/plans', resolve('1.1.0'));
  const offer = screen.getByRole('status');

  await advanceTime(HALF_AN_HOUR);
  expect(screen.getByRole('status')).toBe(offer);
  expect(offer.className).not.toContain('exit');
});

test.each<[string, Resolution, Resolution?]>([
  ['the versions are the same', resolve('1.0.0', { revision: 7 })],
  ['the page is pinned', resolve('1.1.0'), resolve('1.0.0', { qa: { pins: { tools: '1.0.0' } } })],
  ['a new page would be pinned', resolve('1.1.0', { qa: { pins: { tools: '1.1.0' } } })],
])('offers no reload when %s', async (_when, now, made) => {
  await open('/plans', now, made);

  expect(screen.queryByText(WORDS)).toBeNull();
});

test('shows no offer on a step page, but on the next page', async () => {
  await open('/key-system-1', resolve('1.1.0'));
  expect(screen.queryByText(WORDS)).toBeNull();

  fireEvent.click(screen.getByRole('link', { name: 'Plans' }));
  await advanceTime(0);
  expect(screen.getByText(WORDS)).toBeDefined();
});
