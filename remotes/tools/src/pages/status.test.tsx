import type { SiteStatus } from '@app/contracts/status-schemas';
// Loaded before the first test: the page imports it when it asks.
import '@app/contracts/status-schemas';
import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';

const NOW = Date.UTC(2026, 11, 31, 12);
const DAY = 24 * 60 * 60_000;
const PATH = '/api/status';

/** The site since the second of December: a whole day down, 12 minutes of another. */
const DAYS = Array.from({ length: 90 }, (_, nth) => {
  const day = new Date(NOW - (89 - nth) * DAY).toISOString().slice(0, 10);
  if (nth < 60) return { day, up: 0, of: 0 };
  if (nth === 89) return { day, up: 720, of: 720 };
  return { day, up: nth === 70 ? 0 : nth === 80 ? 1428 : 1440, of: 1440 };
});
const STATUS: SiteStatus = {
  now: NOW,
  days: DAYS,
  keys: { today: 12_403, yesterday: 38_201 },
  usualRunMs: 480_000,
  advertisers: [
    { id: 'linkvertise', ok: true },
    { id: 'brand-new', ok: true },
  ],
};
const ok =
  (status: Partial<SiteStatus> = {}) =>
  () =>
    Response.json({ ...STATUS, ...status });

beforeEach(() => openBrowser(NOW));
afterEach(closeBrowser);

const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Day' });
const grades = () =>
  [...document.querySelectorAll('[data-grade]')].map((bar) => bar.getAttribute('data-grade')?.charAt(0)).join('');
const answerOf = (text: string) => screen.getByText(text).closest('[role=status]');

test('the page says what works, how long it has, how many keys there were, and how long one takes', async () => {
  serve({ [PATH]: ok() });
  await visit(remote, '/status');

  expect(answerOf('Everything works')).toBeTruthy();
  expect(screen.getByText('96.58%')).toBeTruthy();
  expect(screen.getByText('since 2 Dec')).toBeTruthy();
  const figures = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(figures).toEqual(['Keys today12,403', 'Keys yesterday38,201', 'Usual time for a key8 min']);
  expect(screen.getByText('brand-new')).toBeTruthy();
});

test('every day has a bar that says how good it was, and days before the record have none of that', async () => {
  serve({ [PATH]: ok() });
  await visit(remote, '/status');

  expect(grades()).toBe(`${'n'.repeat(60)}${'g'.repeat(10)}b${'g'.repeat(9)}f${'g'.repeat(9)}`);
});

test('a day with 95 % of its minutes is fair, and one with a minute less is bad', async () => {
  const days = [1368, 1367].map((up, nth) => ({ day: `2026-12-${30 + nth}`, up, of: 1440 }));
  serve({ [PATH]: ok({ days }) });
  await visit(remote, '/status');

  expect(grades()).toBe('fb');
});

test.each([
  { nth: 89, said: 'Today: 100%' },
  { nth: 80, said: '22 Dec: 99.16%, 12 min down' },
  { nth: 70, said: '12 Dec: 0%, 24 h 0 min down' },
  { nth: 59, said: '1 Dec: no data' },
])('day $nth, reached by keys, says “$said” in the page and to screen readers', async ({ nth, said }) => {
  serve({ [PATH]: ok() });
  await visit(remote, '/status');
  fireEvent.change(slider(), { target: { value: String(nth) } });

  expect(slider().getAttribute('aria-valuetext')?.replaceAll('\u00a0', ' ')).toBe(said);
  expect(screen.getByText(said)).toBeTruthy();
});

test('a day is chosen by pointing at it; without the mouse today is told again, and a lifted finger keeps it', async () => {
  serve({ [PATH]: ok() });
  await visit(remote, '/status');
  const chart = slider().parentElement;
  if (!chart) throw new Error('there is no chart');
  chart.getBoundingClientRect = () => ({ left: 100, width: 900 }) as DOMRect;

  fireEvent.pointerMove(chart, { clientX: 100 + 805, pointerType: 'mouse' });
  expect(screen.getByText('22 Dec: 99.16%, 12 min down')).toBeTruthy();
  fireEvent.pointerLeave(chart, { pointerType: 'mouse' });
  expect(screen.getByText('Today: 100%')).toBeTruthy();

  fireEvent.pointerDown(chart, { clientX: 100 + 805, pointerType: 'touch' });
  fireEvent.pointerLeave(chart, { pointerType: 'touch' });
  expect(screen.getByText('22 Dec: 99.16%, 12 min down')).toBeTruthy();
});

test('a share that is less than all is not rounded up to 100 %', async () => {
  const days = [{ day: '2026-12-31', up: 99_999, of: 100_000 }];
  serve({ [PATH]: ok({ days }) });
  await visit(remote, '/status');

  expect(screen.getByText('99.99%')).toBeTruthy();
  expect(screen.getByText('in the last 1 days')).toBeTruthy();
});

test.each([
  { down: ['rinku'], said: '1 advertiser is down', advice: 'Pick another one.' },
  { down: ['rinku', 'linkvertise'], said: 'No advertiser works', advice: 'Your steps are saved.' },
])('with $down down the page says “$said”, which, and “$advice”', async ({ down, said, advice }) => {
  const advertisers = ['linkvertise', 'rinku'].map((id) => ({ id, ok: !down.includes(id) }));
  serve({ [PATH]: ok({ advertisers }) });
  await visit(remote, '/status');

  expect(answerOf(said)).toBeTruthy();
  expect(screen.getAllByText('Down')).toHaveLength(down.length);
  expect(screen.getByText(/^(?:Pick|Your steps)/).textContent).toMatch(advice);
});

test('when the server stops answering the page says so although it has figures, and retries on request', async () => {
  const answers: Parameters<typeof serve>[0] = { [PATH]: ok({ usualRunMs: undefined }) };
  serve(answers);
  await visit(remote, '/status');
  expect(screen.getByText('not known yet')).toBeTruthy();

  answers[PATH] = () => Promise.reject(new TypeError());
  await advanceTime(60_000);
  expect(answerOf('Can’t reach our server')).toBeTruthy();
  expect(screen.getByText('since 2 Dec')).toBeTruthy();
  expect(screen.getByText('Rinku')).toBeTruthy();
  expect(screen.queryByText('Works')).toBeNull();

  answers[PATH] = ok();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await advanceTime(0);
  expect(answerOf('Everything works')).toBeTruthy();
});

test('the page asks again when the visitor comes back to it', async () => {
  const asked = serve({ [PATH]: ok() });
  await visit(remote, '/status');
  const before = asked.length;

  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  fireEvent(document, new Event('visibilitychange'));
  await advanceTime(30_000);
  expect(asked).toHaveLength(before);

  visibility.mockReturnValue('visible');
  fireEvent(document, new Event('visibilitychange'));
  await advanceTime(0);
  expect(asked).toHaveLength(before + 1);
});
