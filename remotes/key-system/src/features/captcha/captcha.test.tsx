import { closeBrowser, advanceTime } from '@app/testing/visit';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveRecaptcha } from '../../test/fake-recaptcha.ts';
import { failToConnect } from '../../test/run-server.ts';
import {
  readyChanges,
  openCaptcha,
  widgetContainer,
  click,
  PROPS,
  setVisibility,
  sentRequests,
  server,
  showCaptcha,
  status,
  dispatch,
  toasts,
  requestedWaits,
} from '../../test/show-captcha.tsx';
import { Captcha } from './captcha.tsx';

beforeEach(openCaptcha);
afterEach(closeBrowser);

test('shows a loading text until the widget has loaded', async () => {
  const { drawn } = serveRecaptcha();
  render(<Captcha {...PROPS} />);
  expect(screen.getByText('Loading the captcha').tagName).toBe('P');
  expect(status()).toBe('loading');

  await advanceTime(100);
  expect(drawn).toHaveLength(1);
  expect(status()).toBe('ready');
  expect(screen.queryByText('Loading the captcha')).toBeNull();
  expect(widgetContainer().textContent).toBe('Captcha of the provider');
  expect(document.querySelector<HTMLElement>('[data-provider]')?.dataset['provider']).toBe('recaptcha');
});

test('does not load the widget before the first paint', async () => {
  const { drawn } = serveRecaptcha();
  const paint = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
  render(<Captcha {...PROPS} />);
  await advanceTime(1000);

  expect(paint).toHaveBeenCalled();
  expect(drawn).toEqual([]);
});

test('passes when the server accepts the solution', async () => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  expect(readyChanges).toEqual([]);
  await dispatch(() => captcha.last.options.callback('token-1'));

  expect(sentRequests).toEqual([
    {
      address: '/api/v2/verify-captcha',
      method: 'POST',
      body: { 'g-recaptcha-response': 'token-1', hwid: 'device-1', OS: 'ios', advertiser: 'rinku' },
    },
  ]);
  expect(readyChanges).toEqual([true]);
  expect(status()).toBe('passed');
  expect(screen.getByText('Captcha passed').getAttribute('role')).toBe('status');
  expect(widgetContainer().hidden).toBe(false);
  expect(captcha.last.resets).toBe(0);
});

test.each([
  ['is not taken', () => new Response('false'), 'CAPTCHA verification failed. Please try again.'],
  ['does not arrive', failToConnect, 'An error occurred during verification. Please try again.'],
])('shows an alert for a solution that %s, and resets when the alert is closed', async (_what, reply, words) => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  server.answer = reply;
  await dispatch(() => captcha.last.options.callback('token-1'));

  expect(screen.getByText('Captcha').tagName).toBe('H2');
  expect(screen.getByText(words)).toBeDefined();
  expect(captcha.last.resets).toBe(0);
  await click('OK');
  expect(captcha.last.resets).toBe(1);
  expect(readyChanges).toEqual([]);
  expect(status()).toBe('ready');
  expect(screen.queryByText('Captcha passed')).toBeNull();
});

test.each([429, 503])('hides the widget while the server limits requests (%d)', async (code) => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  server.answer = () => new Response('false', { status: code, headers: { 'retry-after': '60' } });
  await dispatch(() => captcha.last.options.callback('token-1'));
  const until = Date.now() + 60_000;
  await click('OK');

  expect(status()).toBe('limited');
  expect(widgetContainer().hidden).toBe(true);
  expect(screen.getByText('The captcha needs a short break.')).toBeDefined();
  expect(readyChanges).toEqual([false]);
  expect(captcha.last.resets).toBe(0);
  await click(`Until ${until}`);
  expect(status()).toBe('ready');
  expect(widgetContainer().hidden).toBe(false);
  expect(captcha.last.resets).toBe(1);
  expect(screen.queryByText(/captcha takes/)).toBeNull();
  expect(readyChanges).toEqual([false, false]);
});

test('resets an expired captcha and shows a toast', async () => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  await dispatch(() => captcha.last.options.callback('token-1'));
  await dispatch(captcha.last.options['expired-callback']);

  expect(readyChanges).toEqual([true, false]);
  expect(status()).toBe('ready');
  expect(toasts()).toEqual(['The captcha timed out. Starting over.']);
  expect(captcha.last.resets).toBe(1);
});

test('an error without a connection says so, and the captcha starts over once it is back', async () => {
  const captcha = serveRecaptcha();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await showCaptcha();
  await dispatch(captcha.last.options['error-callback']);
  expect(screen.getByText('No connection. The captcha starts over when you’re back online.')).toBeDefined();

  await dispatch(() => void window.dispatchEvent(new Event('online')));
  await advanceTime(100);
  expect(captcha.drawn).toHaveLength(2);
  expect(screen.queryByText(/No connection/)).toBeNull();
});

test('resets a captcha after an error and shows advice until it is solved', async () => {
  const captcha = serveRecaptcha();
  const words = () => screen.queryByText('The captcha broke. Tick its box to start over.');
  await showCaptcha();
  await dispatch(() => captcha.last.options.callback('token-1'));
  await dispatch(captcha.last.options['error-callback']);
  await advanceTime(60_000);

  expect(readyChanges).toEqual([true, false]);
  expect(status()).toBe('ready');
  expect(words()?.closest('[role=status]')).toBeInstanceOf(HTMLElement);
  expect(captcha.last.resets).toBe(1);
  await dispatch(() => captcha.last.options.callback('token-2'));
  expect(words()).toBeNull();
});

test('offers to reload a captcha whose frame never loads', async () => {
  serveRecaptcha([], true);
  await showCaptcha();
  await advanceTime(18_000);
  expect(status()).toBe('failed');
  expect(widgetContainer().hidden).toBe(true);
  expect(screen.getByText('The captcha didn’t load')).toBeDefined();

  const captcha = serveRecaptcha();
  await click('Reload the captcha');
  await advanceTime(20_000);
  expect(captcha.drawn).toHaveLength(1);
  expect(status()).toBe('ready');
});

test('resets an expired captcha of a background tab when the tab is visible', async () => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  setVisibility('hidden');
  await dispatch(captcha.last.options['expired-callback']);
  expect(readyChanges).toEqual([false]);
  expect(captcha.last.resets).toBe(0);
  await dispatch(() => setVisibility('hidden'));
  expect(captcha.last.resets).toBe(0);

  await dispatch(() => setVisibility('visible'));
  expect(captcha.last.resets).toBe(1);
  expect(toasts()).toHaveLength(1);

  const isSeen = vi.spyOn(document, 'visibilityState', 'get').mockClear();
  await dispatch(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(isSeen).not.toHaveBeenCalled();
});

test('offers to reload a widget that failed three times', async () => {
  const { drawn } = serveRecaptcha([1, 2, 3]);
  await showCaptcha();
  await advanceTime(1000);
  expect(status()).toBe('loading');
  await advanceTime(1000);

  expect(status()).toBe('failed');
  expect(widgetContainer().hidden).toBe(true);
  expect(readyChanges).toEqual([false]);
  const notice = screen.getByText('The captcha didn’t load').closest('[role=status]');
  expect(notice?.className).toContain('warning');
  expect(notice?.textContent).toContain('Check your connection. An ad blocker can stop it, too.');
  expect(screen.getByText('Reload the captcha').className).toContain('quiet');
  await click('Reload the captcha');
  await advanceTime(100);
  expect(drawn).toHaveLength(1);
  expect(status()).toBe('ready');
  expect(screen.queryByText('The captcha didn’t load')).toBeNull();
  expect(screen.queryByText('Reload the captcha')).toBeNull();
});

test('removes the elements of a failed attempt', async () => {
  const captcha = serveRecaptcha([1]);
  await showCaptcha();
  await advanceTime(1000);

  expect(captcha.last.place.parentElement?.children).toHaveLength(1);
});

test('keeps the captcha when the advertiser changes, and submits the new advertiser', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  await change({ advertiser: 'lootlabs' });
  await dispatch(() => captcha.last.options.callback('token-1'));

  expect(captcha.drawn).toHaveLength(1);
  expect(sentRequests[0]?.body).toMatchObject({ advertiser: 'lootlabs' });
});

test.each([{ hwid: 'device-2' }, { os: 'windows' }] as const)('replaces the captcha when %o changes', async (props) => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  await dispatch(() => captcha.last.options.callback('token-1'));
  await change(props);

  expect(readyChanges).toEqual([true, false]);
  expect(captcha.drawn).toHaveLength(2);
  expect(widgetContainer().textContent).toBe('Captcha of the provider');
  expect(status()).toBe('ready');
});

test('ignores answers and events of a replaced captcha', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  const { options, place: own } = captcha.last;
  let reply: (response: Response) => void = () => undefined;
  server.answer = () => new Promise((resolve) => (reply = resolve));
  await dispatch(() => options.callback('token-1'));
  await change({ hwid: 'device-2' });
  expect(readyChanges).toEqual([false]);
  expect(own.isConnected).toBe(false);

  await dispatch(() => reply(new Response('true')));
  await dispatch(options['expired-callback']);
  await dispatch(options['error-callback']);
  await dispatch(() => options.callback('token-2'));
  expect(readyChanges).toEqual([false]);
  expect(sentRequests).toHaveLength(1);
  expect(toasts()).toEqual([]);
  expect(captcha.drawn.map(({ resets }) => resets)).toEqual([0, 0]);
});

test('a replaced captcha is ready again after an alert or a limit', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  server.answer = () => new Response('false', { status: 429, headers: { 'retry-after': '60' } });
  await dispatch(() => captcha.last.options.callback('token-1'));
  await change({ hwid: 'device-2' });
  await click('OK');

  expect(status()).toBe('ready');
  expect(readyChanges).toEqual([false]);
});

test('ignores the end of a limit of a replaced captcha', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  server.answer = () => new Response('false', { status: 429, headers: { 'retry-after': '60' } });
  await dispatch(() => captcha.last.options.callback('token-1'));
  await click('OK');
  const { resume } = requestedWaits.at(-1)!;
  await change({ hwid: 'device-2' });
  expect(screen.queryByText(/^Until/)).toBeNull();
  const before = [...readyChanges];
  await dispatch(resume);

  expect(readyChanges).toEqual(before);
  expect(captcha.drawn.map(({ resets }) => resets)).toEqual([0, 0]);
});

test('shows no toast for a replaced captcha in a background tab', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  setVisibility('hidden');
  await dispatch(captcha.last.options['expired-callback']);
  await change({ hwid: 'device-2' });
  await dispatch(() => setVisibility('visible'));

  expect(toasts()).toEqual([]);
  expect(captcha.drawn[0]?.resets).toBe(0);
});

test('ignores a load failure of a replaced captcha', async () => {
  const { drawn } = serveRecaptcha([1, 3, 4]);
  const { change } = await showCaptcha();
  await change({ hwid: 'device-2' });
  expect(readyChanges).toEqual([false]);
  await advanceTime(5000);

  expect(status()).toBe('ready');
  expect(readyChanges).toEqual([false]);
  expect(drawn).toHaveLength(1);
});

test('a captcha that was replaced while loading is rendered outside of the page', async () => {
  const captcha = serveRecaptcha([1, 2]);
  const { change } = await showCaptcha();
  await change({ hwid: 'device-2' });
  await advanceTime(850);
  expect(captcha.drawn).toHaveLength(1);
  expect(captcha.last.place.isConnected).toBe(false);
  expect(status()).toBe('loading');

  await advanceTime(200);
  expect(status()).toBe('ready');
});

test('loads nothing when it is removed before the first paint', async () => {
  const { drawn } = serveRecaptcha();
  const { unmount } = render(<Captcha {...PROPS} />);
  unmount();
  await advanceTime(1000);

  expect(drawn).toEqual([]);
});
