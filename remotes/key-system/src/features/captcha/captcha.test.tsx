import { closeBrowser, pass } from '@app/testing/visit';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveRecaptcha } from '../../test/fake-recaptcha.ts';
import { dead } from '../../test/run-server.ts';
import {
  heard,
  openCaptcha,
  place,
  click,
  PROPS,
  see,
  sent,
  server,
  showCaptcha,
  status,
  tell,
  toasts,
  waits,
} from '../../test/show-captcha.tsx';
import { Captcha } from './captcha.tsx';

beforeEach(openCaptcha);
afterEach(closeBrowser);

test('until the widget is there its place says so', async () => {
  const { drawn } = serveRecaptcha();
  render(<Captcha {...PROPS} />);
  expect(screen.getByText('Loading the captcha').tagName).toBe('P');
  expect(status()).toBe('loading');

  await pass(100);
  expect(drawn).toHaveLength(1);
  expect(status()).toBe('ready');
  expect(screen.queryByText('Loading the captcha')).toBeNull();
  expect(place().textContent).toBe('Captcha of the provider');
  expect(document.querySelector<HTMLElement>('[data-provider]')?.dataset['provider']).toBe('recaptcha');
});

test('the widget does not come before the page was painted', async () => {
  const { drawn } = serveRecaptcha();
  const paint = vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(0);
  render(<Captcha {...PROPS} />);
  await pass(1000);

  expect(paint).toHaveBeenCalled();
  expect(drawn).toEqual([]);
});

test('a solution that the server takes is passed', async () => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  expect(heard).toEqual([]);
  await tell(() => captcha.last.options.callback('token-1'));

  expect(sent).toEqual([
    {
      address: '/api/v2/verify-captcha',
      method: 'POST',
      body: { 'g-recaptcha-response': 'token-1', hwid: 'device-1', OS: 'ios', advertiser: 'rinku' },
    },
  ]);
  expect(heard).toEqual([true]);
  expect(status()).toBe('passed');
  expect(screen.getByText('Captcha passed').getAttribute('role')).toBe('status');
  expect(place().hidden).toBe(false);
  expect(captcha.last.resets).toBe(0);
});

test.each([
  ['is not taken', () => new Response('false'), 'CAPTCHA verification failed. Please try again.'],
  ['does not arrive', dead, 'An error occurred during verification. Please try again.'],
])('a solution that %s is said, and asked for again once that is read', async (_what, reply, words) => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  server.answer = reply;
  await tell(() => captcha.last.options.callback('token-1'));

  expect(screen.getByText('Captcha').tagName).toBe('H2');
  expect(screen.getByText(words)).toBeDefined();
  expect(captcha.last.resets).toBe(0);
  await click('OK');
  expect(captcha.last.resets).toBe(1);
  expect(heard).toEqual([]);
  expect(status()).toBe('ready');
  expect(screen.queryByText('Captcha passed')).toBeNull();
});

test.each([429, 503])('when the server wants a pause (%d), the captcha waits for its end', async (code) => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  server.answer = () => new Response('false', { status: code, headers: { 'retry-after': '60' } });
  await tell(() => captcha.last.options.callback('token-1'));
  const until = Date.now() + 60_000;
  await click('OK');

  expect(status()).toBe('limited');
  expect(place().hidden).toBe(true);
  expect(screen.getByText('The captcha needs a short break.')).toBeDefined();
  expect(heard).toEqual([false]);
  expect(captcha.last.resets).toBe(0);
  await click(`Until ${until}`);
  expect(status()).toBe('ready');
  expect(place().hidden).toBe(false);
  expect(captcha.last.resets).toBe(1);
  expect(screen.queryByText(/captcha takes/)).toBeNull();
  expect(heard).toEqual([false, false]);
});

test('a captcha that was open too long is reset, and says so', async () => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  await tell(() => captcha.last.options.callback('token-1'));
  await tell(captcha.last.options['expired-callback']);

  expect(heard).toEqual([true, false]);
  expect(status()).toBe('ready');
  expect(toasts()).toEqual(['The captcha timed out. It starts over.']);
  expect(captcha.last.resets).toBe(1);
});

test('a captcha that had a problem is reset, and says what to do until it is done', async () => {
  const captcha = serveRecaptcha();
  const words = () => screen.queryByText('The captcha broke. Tick its box to start over.');
  await showCaptcha();
  await tell(() => captcha.last.options.callback('token-1'));
  await tell(captcha.last.options['error-callback']);
  await pass(60_000);

  expect(heard).toEqual([true, false]);
  expect(status()).toBe('ready');
  expect(words()?.closest('[role=status]')).toBeInstanceOf(HTMLElement);
  expect(captcha.last.resets).toBe(1);
  await tell(() => captcha.last.options.callback('token-2'));
  expect(words()).toBeNull();
});

test('a captcha whose frame never comes is said to be missing, and can be loaded again', async () => {
  serveRecaptcha([], true);
  await showCaptcha();
  await pass(18_000);
  expect(status()).toBe('failed');
  expect(place().hidden).toBe(true);
  expect(screen.getByText('The captcha didn’t load')).toBeDefined();

  const captcha = serveRecaptcha();
  await click('Reload the captcha');
  await pass(20_000);
  expect(captcha.drawn).toHaveLength(1);
  expect(status()).toBe('ready');
});

test('in a background tab nothing is renewed, until it is visible', async () => {
  const captcha = serveRecaptcha();
  await showCaptcha();
  see('hidden');
  await tell(captcha.last.options['expired-callback']);
  expect(heard).toEqual([false]);
  expect(captcha.last.resets).toBe(0);
  await tell(() => see('hidden'));
  expect(captcha.last.resets).toBe(0);

  await tell(() => see('visible'));
  expect(captcha.last.resets).toBe(1);
  expect(toasts()).toHaveLength(1);

  const isSeen = vi.spyOn(document, 'visibilityState', 'get').mockClear();
  await tell(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(isSeen).not.toHaveBeenCalled();
});

test('a widget that does not come at the third try has failed, and can be loaded again', async () => {
  const { drawn } = serveRecaptcha([1, 2, 3]);
  await showCaptcha();
  await pass(1000);
  expect(status()).toBe('loading');
  await pass(1000);

  expect(status()).toBe('failed');
  expect(place().hidden).toBe(true);
  expect(heard).toEqual([false]);
  const notice = screen.getByText('The captcha didn’t load').closest('[role=status]');
  expect(notice?.className).toContain('warning');
  expect(notice?.textContent).toContain('Check your connection. An ad blocker can stop it, too.');
  expect(screen.getByText('Reload the captcha').className).toContain('quiet');
  await click('Reload the captcha');
  await pass(100);
  expect(drawn).toHaveLength(1);
  expect(status()).toBe('ready');
  expect(screen.queryByText('The captcha didn’t load')).toBeNull();
  expect(screen.queryByText('Reload the captcha')).toBeNull();
});

test('what an earlier try has left is taken out of the place', async () => {
  const captcha = serveRecaptcha([1]);
  await showCaptcha();
  await pass(1000);

  expect(captcha.last.place.parentElement?.children).toHaveLength(1);
});

test('another advertiser leaves the captcha as it is, and is sent along', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  await change({ advertiser: 'lootlabs' });
  await tell(() => captcha.last.options.callback('token-1'));

  expect(captcha.drawn).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({ advertiser: 'lootlabs' });
});

test.each([{ hwid: 'device-2' }, { os: 'windows' }] as const)('for %o the captcha is another one', async (props) => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  await tell(() => captcha.last.options.callback('token-1'));
  await change(props);

  expect(heard).toEqual([true, false]);
  expect(captcha.drawn).toHaveLength(2);
  expect(place().textContent).toBe('Captcha of the provider');
  expect(status()).toBe('ready');
});

test('a visitor who leaves has not passed, and what is answered or told afterwards changes nothing', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  const { options, place: own } = captcha.last;
  let reply: (response: Response) => void = () => undefined;
  server.answer = () => new Promise((resolve) => (reply = resolve));
  await tell(() => options.callback('token-1'));
  await change({ hwid: 'device-2' });
  expect(heard).toEqual([false]);
  expect(own.isConnected).toBe(false);

  await tell(() => reply(new Response('true')));
  await tell(options['expired-callback']);
  await tell(options['error-callback']);
  await tell(() => options.callback('token-2'));
  expect(heard).toEqual([false]);
  expect(sent).toHaveLength(1);
  expect(toasts()).toEqual([]);
  expect(captcha.drawn.map(({ resets }) => resets)).toEqual([0, 0]);
});

test('a visitor who leaves while a refusal is read, or a limit lasts, is not held back', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  server.answer = () => new Response('false', { status: 429, headers: { 'retry-after': '60' } });
  await tell(() => captcha.last.options.callback('token-1'));
  await change({ hwid: 'device-2' });
  await click('OK');

  expect(status()).toBe('ready');
  expect(heard).toEqual([false]);
});

test('the pause of a captcha that was replaced goes on with nothing', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  server.answer = () => new Response('false', { status: 429, headers: { 'retry-after': '60' } });
  await tell(() => captcha.last.options.callback('token-1'));
  await click('OK');
  const { resume } = waits.at(-1)!;
  await change({ hwid: 'device-2' });
  expect(screen.queryByText(/^Until/)).toBeNull();
  const before = [...heard];
  await tell(resume);

  expect(heard).toEqual(before);
  expect(captcha.drawn.map(({ resets }) => resets)).toEqual([0, 0]);
});

test('a visitor who leaves in a background tab is not told of a renewal when it is visible', async () => {
  const captcha = serveRecaptcha();
  const { change } = await showCaptcha();
  see('hidden');
  await tell(captcha.last.options['expired-callback']);
  await change({ hwid: 'device-2' });
  await tell(() => see('visible'));

  expect(toasts()).toEqual([]);
  expect(captcha.drawn[0]?.resets).toBe(0);
});

test('a captcha that fails after it was replaced is no failure', async () => {
  const { drawn } = serveRecaptcha([1, 3, 4]);
  const { change } = await showCaptcha();
  await change({ hwid: 'device-2' });
  expect(heard).toEqual([false]);
  await pass(5000);

  expect(status()).toBe('ready');
  expect(heard).toEqual([false]);
  expect(drawn).toHaveLength(1);
});

test('a captcha that comes after it was replaced is drawn into nothing', async () => {
  const captcha = serveRecaptcha([1, 2]);
  const { change } = await showCaptcha();
  await change({ hwid: 'device-2' });
  await pass(850);
  expect(captcha.drawn).toHaveLength(1);
  expect(captcha.last.place.isConnected).toBe(false);
  expect(status()).toBe('loading');

  await pass(200);
  expect(status()).toBe('ready');
});

test('a visitor who has left before the first paint loads nothing', async () => {
  const { drawn } = serveRecaptcha();
  const { unmount } = render(<Captcha {...PROPS} />);
  unmount();
  await pass(1000);

  expect(drawn).toEqual([]);
});
