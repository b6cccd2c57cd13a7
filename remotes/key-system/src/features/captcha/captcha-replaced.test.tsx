import { closeBrowser, pass } from '@app/testing/visit';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveRecaptcha } from '../../test/fake-recaptcha.ts';
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
