import type { Purchase } from '@app/contracts/purchases';
import { closeBrowser, openBrowser, pass, serve } from '@app/testing/visit';
import { Router, showToast } from '@app/platform';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { toast } from 'react-toastify/unstyled';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useNavbarStore } from '../../features/navbar/navbar-store.ts';
import { Toasts } from './toasts.tsx';

const NOW = new Date(2026, 2, 10, 12).getTime();
const ADA: Purchase = { name: 'Ada', timestamp: NOW / 1000, location: 'London', country_code: 'gb' };
const TURN_MS = 8000;

beforeEach(() => openBrowser(NOW));
afterEach(closeBrowser);

/** Opens a page and stays there for two turns of the purchases. */
async function open(path: string, answer: () => Response | Promise<Response>) {
  const asked = serve({ '/api/latest-purchase': answer });
  history.replaceState(null, '', path);
  render(
    <Router>
      <Toasts />
    </Router>,
  );
  await pass(0);
  await pass(2 * TURN_MS);

  return asked;
}

test('purchases are asked for by an empty JSON object', async () => {
  const asked = await open('/v5', () => Response.json([ADA]));

  expect(asked).toEqual([{ path: '/api/latest-purchase', method: 'POST', body: '{}' }]);
});

test.each(['/v5', '/key-system-1', '/gate'])('%s shows them', async (path) => {
  await open(path, () => Response.json([ADA]));

  expect(screen.getAllByRole('alert')[0]?.textContent).toMatch(/^Ada got a plan/);
});

test('a purchase without a country says who and when', async () => {
  await open('/v5', () => Response.json([{ ...ADA, name: 'Someone', location: '', country_code: '' }]));

  expect(screen.getAllByRole('alert')[0]?.textContent).toMatch(/^Someone got a plan · Today at 12:00\sPM$/);
});

test('while a toast stays, for the window has lost the focus, no others wait behind it', async () => {
  await open('/v5', () => Response.json([ADA, { ...ADA, name: 'Grace' }, { ...ADA, name: 'Edsger' }]));
  await pass(10 * TURN_MS);
  expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([expect.stringMatching(/^Ada/)]);

  const first = screen.getByRole('alert');
  await act(() => Promise.resolve(toast.dismiss()));
  for (const part of [first, first.parentElement!, document.querySelector('.Toastify__toast')!])
    fireEvent.animationEnd(part);
  await pass(7000);
  expect(screen.queryByRole('alert')).toBeNull();
  await pass(1000);
  expect(screen.getByRole('alert').textContent).toMatch(/^Grace/);

  history.pushState(null, '', '/plans');
  fireEvent.popState(window);
  await pass(3 * TURN_MS);
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each(['mouse', 'touch'])('a %s cannot drag a toast away', async (pointerType) => {
  await open('/v5', () => Response.json([ADA]));
  const shown = document.querySelector<HTMLElement>('.Toastify__toast')!;
  fireEvent.pointerDown(shown, { pointerType, clientX: 10 });
  fireEvent.pointerMove(document, { pointerType, clientX: 400 });

  expect(shown.style.transform).toBe('');
});

test('pages that are neither landing nor key pages ask for no purchases', async () => {
  const asked = await open('/plans', () => Response.json([ADA]));

  expect(asked).toEqual([]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['gb', 1],
  ['usa', 0],
  ['', 0],
])('a country code “%s” has %d flags', async (code, flags) => {
  await open('/v5', () => Response.json([{ ...ADA, country_code: code }]));

  expect(screen.getAllByRole('alert')[0]?.querySelectorAll('svg')).toHaveLength(flags);
});

test.each([
  ['an answer that is no array', () => Response.json({ 0: ADA }), 0],
  ['an empty object', () => Response.json({}), 0],
  ['a failure', () => new Response(null, { status: 500 }), 1],
])('%s shows no toast and harms nothing', async (_what, answer, failures) => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await open('/v5', answer);

  expect(screen.queryByRole('alert')).toBeNull();
  expect(logged.mock.calls.map(([words]: unknown[]) => words)).toEqual(
    Array(failures).fill('Failed to fetch purchase'),
  );
  expect(screen.getByRole('region', { name: /^Recent purchases/ })).toBeDefined();
});

/** Puts a heading on the page of a small window. Returns what moves it. */
function openBelowHeading() {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const page = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => page.remove());
  page.innerHTML = '<div data-run-strip><h2>Step 2 of 6</h2></div>';
  const box = vi.spyOn(page.firstElementChild!, 'getBoundingClientRect');
  return (top: number) => {
    box.mockReturnValue({ top, bottom: top + 80, height: 80 } as DOMRect);
    fireEvent.scroll(window);
  };
}

test('a docked toast goes when the line of a step comes beneath it', async () => {
  const moveTo = openBelowHeading();
  moveTo(110);
  await open('/v5', () => Response.json([ADA]));
  expect(document.querySelector('.Toastify__toast')!.className).not.toContain('exit');

  moveTo(64);
  await pass(0);
  expect(document.querySelector('.Toastify__toast')!.className).toContain('exit');
});

test('a message is docked below the line of a step, and moves when that does', async () => {
  document.documentElement.style.removeProperty('--dock');
  const moveTo = openBelowHeading();
  moveTo(64);
  await open('/plans', () => Response.json([]));
  act(() => showToast('Your run goes on at step 2.'));
  await pass(0);
  const dock = () => document.documentElement.style.getPropertyValue('--dock');
  expect(dock()).toBe('144px');

  moveTo(110);
  await pass(0);
  expect(dock()).toBe('60px');
});

test('a message is docked below all headings that it would cover, in whatever order the page has them', async () => {
  const page = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => page.remove());
  page.innerHTML = '<h2>Beside the picture</h2><h2>Over it</h2>';
  for (const [at, top] of [140, 60].entries())
    vi.spyOn(page.children[at]!, 'getBoundingClientRect').mockReturnValue({
      top,
      bottom: top + 70,
      height: 70,
    } as DOMRect);
  await open('/plans', () => Response.json([]));
  act(() => showToast('Your run goes on at step 2.'));
  await pass(0);

  expect(document.documentElement.style.getPropertyValue('--dock')).toBe('210px');
});

test('a message waits for the menu to close, and one that is there lies beneath the menu', async () => {
  const { shown, closed, settled } = useNavbarStore.getState();
  await open('/plans', () => Response.json([]));
  act(() => showToast('First'));
  await pass(0);
  act(() => shown(true));
  act(() => showToast('Second'));
  await pass(0);

  expect(screen.getByText('First').closest('.beneath')).not.toBeNull();
  expect(screen.queryByText('Second')).toBeNull();
  act(settled);
  act(closed);
  expect(screen.queryByText('Second')).toBeNull();
  act(settled);
  await pass(0);
  expect(screen.getByText('Second').closest('.beneath')).toBeNull();
});

test('a toast that is docked below the navbar waits while a heading or a refusal is there', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const page = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => page.remove());
  page.innerHTML = '<h2>Plans</h2>';
  const heading = page.firstElementChild!;
  const standAt = (top: number) =>
    vi.spyOn(heading, 'getBoundingClientRect').mockReturnValue({ top, bottom: top + 30, height: 30 } as DOMRect);
  standAt(70);
  await open('/v5', () => Response.json([ADA]));
  expect(screen.queryByRole('alert')).toBeNull();

  standAt(90);
  page.setAttribute('data-holds-toasts', '');
  await pass(TURN_MS);
  expect(screen.queryByRole('alert')).toBeNull();

  page.removeAttribute('data-holds-toasts');
  await pass(TURN_MS);
  expect(screen.getByRole('alert').textContent).toMatch(/^Ada/);
});
