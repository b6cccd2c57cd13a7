import type { Resolution } from '@app/contracts/resolution';
import type { Purchase } from '@app/contracts/purchases';
import { closeBrowser, openBrowser, advanceTime, serve } from '@app/testing/visit';
import { Router, showToast } from '@app/platform';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { toast } from 'react-toastify/unstyled';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { useNavbarStore } from '../../features/navbar/navbar-store.ts';
import { writeResolution } from '../../test/qa-page.ts';
import { Toasts } from './toasts.tsx';

const NOW = new Date(2026, 2, 10, 12).getTime();
const ADA: Purchase = { name: 'Ada', timestamp: NOW / 1000, location: 'London', country_code: 'gb' };
const TURN_MS = 8000;

beforeEach(() => {
  openBrowser(NOW);
  announceResolution();
});
afterEach(closeBrowser);

const announceResolution = (qa?: Resolution['qa']) => writeResolution({ revision: 1, units: {}, qa });

/** Opens a page and stays there for two turns of the purchases. */
async function open(path: string, answer: () => Response | Promise<Response>) {
  const asked = serve({ '/api/latest-purchase': answer });
  history.replaceState(null, '', path);
  render(
    <Router>
      <Toasts />
    </Router>,
  );
  await advanceTime(0);
  await advanceTime(2 * TURN_MS);

  return asked;
}

test('purchases are requested with an empty JSON object', async () => {
  const asked = await open('/v5', () => Response.json([ADA]));

  expect(asked).toEqual([{ path: '/api/latest-purchase', method: 'POST', body: '{}' }]);
});

/** Ends what a toast does while it comes or goes. */
function endAnimations() {
  const shown = document.querySelector('.Toastify__toast')!;
  for (const part of [...shown.querySelectorAll('*'), shown]) fireEvent.animationEnd(part);
}

test('no purchase is skipped while the previous toast is closing', async () => {
  const names = ['Ann', 'Bob', 'Cy', 'Dan', 'Eve'];
  await open('/key-system-2', () => Response.json(names.map((name) => ({ ...ADA, name }))));

  for (const name of [...names, 'Ann']) {
    expect(screen.getByRole('marquee').textContent).toMatch(new RegExp(`^${name} got`));
    act(() => toast.dismiss());
    await advanceTime(TURN_MS);
    expect(document.querySelectorAll('.Toastify__toast')).toHaveLength(1);
    endAnimations();
    await advanceTime(TURN_MS);
  }
});

test('a purchase toast closes when the menu opens', async () => {
  await open('/v5', () => Response.json([ADA]));
  expect(document.querySelector('.Toastify__toast:not([class*="exit"])')).not.toBeNull();

  onTestFinished(() => useNavbarStore.setState({ menu: 'closed' }));
  act(() => useNavbarStore.setState({ menu: 'open' }));
  await advanceTime(0);
  expect(document.querySelector('.Toastify__toast:not([class*="exit"])')).toBeNull();
});

test('one polite live region announces messages, and no purchases', async () => {
  await open('/v5', () => Response.json([ADA]));
  act(() => showToast('Saved.'));
  await advanceTime(0);

  const regions = document.querySelectorAll('[aria-live]');
  expect([...regions].map((region) => region.getAttribute('aria-live'))).toEqual(['polite']);
  expect(screen.getByRole('status').textContent).toBe('Saved.');
  // The role of what changes often and says nothing that a visitor needs; its updates are not announced.
  expect(screen.getByRole('marquee').textContent).toMatch(/^Ada/);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a version notice stays until it is closed, and other messages expire', async () => {
  const notice = 'This browser has no QA access.';
  announceResolution({ access: false, pins: {}, notice });
  await open('/plans', () => Response.json([]));
  act(() => {
    showToast('Saved.');
    showToast(notice);
  });
  await advanceTime(0);
  // A message goes when its bar has run out.
  for (const bar of document.querySelectorAll('.Toastify__progress-bar--animated')) fireEvent.animationEnd(bar);
  await advanceTime(0);

  const listShown = () => [...document.querySelectorAll('.Toastify__toast:not([class*="exit"])')];
  expect(listShown().map(({ textContent }) => textContent)).toEqual([notice]);
  fireEvent.click(listShown()[0]!);
  await advanceTime(0);
  expect(listShown()).toEqual([]);
});

test('no purchases queue up behind a toast while the window is unfocused', async () => {
  await open('/v5', () => Response.json([ADA, { ...ADA, name: 'Grace' }, { ...ADA, name: 'Edsger' }]));
  await advanceTime(10 * TURN_MS);
  expect(screen.getAllByRole('marquee').map((one) => one.textContent)).toEqual([expect.stringMatching(/^Ada/)]);

  await act(() => Promise.resolve(toast.dismiss()));
  endAnimations();
  await advanceTime(7000);
  expect(screen.queryByRole('marquee')).toBeNull();
  await advanceTime(1000);
  expect(screen.getByRole('marquee').textContent).toMatch(/^Grace/);

  history.pushState(null, '', '/plans');
  fireEvent.popState(window);
  await advanceTime(3 * TURN_MS);
  expect(screen.queryByRole('marquee')).toBeNull();
});

test.each(['mouse', 'touch'])('a %s cannot drag a toast away', async (pointerType) => {
  await open('/v5', () => Response.json([ADA]));
  const shown = document.querySelector<HTMLElement>('.Toastify__toast')!;
  fireEvent.pointerDown(shown, { pointerType, clientX: 10 });
  fireEvent.pointerMove(document, { pointerType, clientX: 400 });

  expect(shown.style.transform).toBe('');
});

test('pages other than landing and key pages request no purchases', async () => {
  const asked = await open('/plans', () => Response.json([ADA]));

  expect(asked).toEqual([]);
  expect(screen.queryByRole('marquee')).toBeNull();
});

test.each([
  ['an answer that is no array', () => Response.json({ 0: ADA }), 0],
  ['an empty object', () => Response.json({}), 0],
  ['a failure', () => new Response(null, { status: 500 }), 1],
])('%s shows no toast', async (_what, answer, failures) => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await open('/v5', answer);

  expect(screen.queryByRole('marquee')).toBeNull();
  expect(logged.mock.calls.map(([words]: unknown[]) => words)).toEqual(
    Array(failures).fill('Failed to fetch purchase'),
  );
  expect(screen.getByRole('region', { name: /^Notices/ })).toBeDefined();
});

/** Puts parts with these tops and heights on the page of a small window. Returns what scrolls them all. */
function openAmong(parts: string, ...boxes: [top: number, height: number][]) {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const page = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => page.remove());
  page.innerHTML = parts;
  return (by: number) => {
    for (const [at, [top, height]] of boxes.entries())
      vi.spyOn(page.children[at]!, 'getBoundingClientRect').mockReturnValue({
        top: top - by,
        bottom: top - by + height,
        height,
      } as DOMRect);
    fireEvent.scroll(window);
  };
}

const dockOf = () => document.querySelector<HTMLElement>('.Toastify')!.style.getPropertyValue('--dock');

test.each([
  ['below the line of a step', '<div data-run-strip><h2>Step 2 of 6</h2></div>', [64, 80], '152px'],
  ['over a heading that fills the window', '<h1>Key system</h1>', [64, 640], '72px'],
  ['below a text that lies there', '<p>The first AI executor</p>', [64, 44], '116px'],
  ['over a text that fills the window', '<p>The first AI executor</p>', [64, 640], '72px'],
  ['below a link that lies there', '<a href="/plans">Plans</a>', [64, 44], '116px'],
  ['over a link that fills the window', '<a href="/plans">Plans</a>', [64, 640], '72px'],
] as const)('on a phone a purchase toast is %s', async (_where, parts, [top, height], dock) => {
  const scroll = openAmong(parts, [top, height]);
  scroll(0);
  await open('/key-system-2', () => Response.json([ADA]));

  expect(screen.getByRole('marquee').closest('.Toastify__toast-container--top-center')).not.toBeNull();
  expect(dockOf()).toBe(dock);
});

test('a purchase toast moves below a button that is scrolled beneath it', async () => {
  const scroll = openAmong('<button>Complete</button>', [400, 48]);
  scroll(0);
  await open('/key-system-2', () => Response.json([ADA]));
  expect(dockOf()).toBe('72px');

  scroll(310);
  expect(dockOf()).toBe('146px');
});

test('a message is docked below the line of a step, and follows its movement', async () => {
  const scroll = openAmong('<div data-run-strip><h2>Step 2 of 6</h2></div>', [110, 80]);
  scroll(46);
  await open('/plans', () => Response.json([]));
  act(() => showToast('Your run goes on at step 2.'));
  await advanceTime(0);
  expect(dockOf()).toBe('152px');

  scroll(0);
  expect(dockOf()).toBe('72px');
});

test('a message is docked below all headings that it would cover', async () => {
  openAmong('<h2>Beside the picture</h2><h2>Over it</h2>', [140, 70], [60, 70])(0);
  await open('/plans', () => Response.json([]));
  act(() => showToast('Your run goes on at step 2.'));
  await advanceTime(0);

  expect(dockOf()).toBe('218px');
});

test('a message waits for the menu to close, and a visible one is covered by the menu', async () => {
  const { shown, closed, settled } = useNavbarStore.getState();
  await open('/plans', () => Response.json([]));
  act(() => showToast('First'));
  await advanceTime(0);
  act(() => shown(true));
  act(() => showToast('Second'));
  await advanceTime(0);

  expect(screen.getByText('First').closest('.beneath')).not.toBeNull();
  expect(screen.queryByText('Second')).toBeNull();
  act(settled);
  act(closed);
  expect(screen.queryByText('Second')).toBeNull();
  act(settled);
  await advanceTime(0);
  expect(screen.getByText('Second').closest('.beneath')).toBeNull();
});

test('purchase toasts wait during an error or while text is typed, and are shown beside a chosen advertiser', async () => {
  const page = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => page.remove());
  page.innerHTML = '<input type="radio" /><input />';
  page.setAttribute('data-holds-toasts', '');
  await open('/v5', () => Response.json([ADA]));
  expect(screen.queryByRole('marquee')).toBeNull();

  page.removeAttribute('data-holds-toasts');
  page.querySelector<HTMLInputElement>('input:not([type])')!.focus();
  await advanceTime(TURN_MS);
  expect(screen.queryByRole('marquee')).toBeNull();

  page.querySelector<HTMLInputElement>('[type=radio]')!.focus();
  await advanceTime(TURN_MS);
  expect(screen.getByRole('marquee').textContent).toMatch(/^Ada/);
});
