import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeBrowser, openBrowser, advanceTime } from '@app/testing/visit';
import { render, screen } from '@testing-library/react';
import { NOW } from '../../test/run-server.ts';
import { Captcha } from './captcha.tsx';
import { loadWidget } from './load-widget.ts';

/** What the widget's own code puts into the page, as far as ours uses it. */
const altcha = vi.hoisted(() => {
  const given: { fetch?: typeof fetch } = {};
  const words: Record<string, Record<string, string>> = {};
  const page = {
    algorithms: new Map<string, () => unknown>(),
    defaults: { set: (options: object) => Object.assign(given, options) },
    i18n: { set: (language: string, texts: Record<string, string>) => (words[language] = texts) },
  };
  (globalThis as unknown as { $altcha: typeof page }).$altcha = page;
  return { ...page, given, words };
});
vi.mock('altcha/external', () => ({}));

const calls = { reset: vi.fn(), verify: vi.fn(() => Promise.resolve()) };

beforeEach(() => openBrowser(NOW));
afterEach(async () => {
  await answer(new Response('{}'));
  calls.reset.mockReset();
  calls.verify.mockReset();
  document.documentElement.removeAttribute('lang');
  closeBrowser();
});

async function show() {
  const place = document.createElement('div');
  place.textContent = 'what was there before';
  const tell = vi.fn();
  const widget = await loadWidget({ provider: 'altcha' })(place, { hwid: 'device-1', os: 'ios' }, tell);
  const element = Object.assign(place.firstElementChild!, calls);
  const become = (state: string, payload?: string) =>
    element.dispatchEvent(new CustomEvent('statechange', { detail: { state, payload } }));
  return { place, tell, widget, element, become };
}

/** Lets the widget fetch its puzzle by the function that it was given. */
async function answer(response: Response | Promise<Response>) {
  const asked = vi.fn<typeof fetch>().mockReturnValue(Promise.resolve(response));
  vi.stubGlobal('fetch', asked);
  const { status } = await response;
  expect(await altcha.given.fetch?.('/api/captcha/challenge', { method: 'GET' })).toMatchObject({ status });
  expect(asked).toHaveBeenCalledWith('/api/captcha/challenge', expect.objectContaining({ method: 'GET' }));
}

test('creates the site’s captcha for the device in the address', async () => {
  const { place, element } = await show();

  expect(place.textContent).toBe('');
  expect(element.tagName).toBe('ALTCHA-WIDGET');
  expect(Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))).toEqual({
    challenge: '/api/captcha/challenge?hwid=device-1&os=ios',
    auto: 'onload',
    name: 'g-recaptcha-response',
    configuration: JSON.stringify({
      hideFooter: true,
      hideLogo: true,
      humanInteractionSignature: false,
      minDuration: 0,
    }),
  });
});

test('gives the widget its texts in the language of the page', async () => {
  document.documentElement.lang = 'vi';
  await show();

  expect(altcha.words['vi']).toMatchObject({ label: 'I’m not a robot', verified: 'Verified' });
});

test('solves the challenge in a worker of the same origin', () => {
  const started: URL[] = [];
  vi.stubGlobal(
    'Worker',
    class {
      constructor(file: URL) {
        started.push(file);
      }
    },
  );
  altcha.algorithms.get('PBKDF2/SHA-256')?.();

  expect(started).toHaveLength(1);
  expect(String(started[0])).toMatch(/altcha\/.*workers\/pbkdf2/);
});

test.each([
  [
    'a solution and what follows',
    ['verifying:payload-0', 'verified', 'verified:payload-1', 'expired'],
    [{ type: 'solved', token: 'payload-1' }, { type: 'expired' }],
  ],
  ['nothing of what expires before it is solved: only the clock is fast', ['expired'], []],
  ['a fault', ['error'], [{ type: 'failed' }]],
])('the widget reports %s', async (_what, states, events) => {
  const { tell, become } = await show();
  for (const state of states) become(...(state.split(':') as [string, string?]));

  expect(tell.mock.calls).toEqual(events.map((event) => [event]));
});

test('reports until when challenges are limited, and no limit after the next challenge', async () => {
  const { tell, become, widget } = await show();
  await answer(new Response('', { status: 429, headers: { 'retry-after': '60' } }));
  become('error');
  expect(tell.mock.calls).toEqual([[{ type: 'limited', until: NOW + 60_000 }]]);
  widget.reset();
  expect(calls.reset).toHaveBeenCalledTimes(1);
  expect(calls.verify).toHaveBeenCalledTimes(1);

  await answer(new Response('{}', { headers: { 'retry-after': '60' } }));
  become('error');
  expect(tell).toHaveBeenLastCalledWith({ type: 'failed' });
  widget.reset();
  expect(calls.verify).toHaveBeenCalledTimes(1);
});

test('reports a failure when no challenge arrives, also after a limit', async () => {
  const { tell, become } = await show();
  await answer(new Response('', { status: 429, headers: { 'retry-after': '60' } }));
  const asked = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', asked);
  const failing = expect(altcha.given.fetch?.('/api/captcha/challenge')).rejects.toThrow('Failed to fetch');
  await advanceTime(2000);
  await failing;
  expect(asked).toHaveBeenCalledTimes(3);
  become('error');

  expect(tell.mock.calls).toEqual([[{ type: 'failed' }]]);
});

test('requests a challenge again that stops half-way', async () => {
  await show();
  const asked = vi.fn<typeof fetch>((_url, init) => {
    if (asked.mock.calls.length > 1) return Promise.resolve(new Response('{}'));
    const body = new ReadableStream({
      start: (puzzle) => init?.signal?.addEventListener('abort', () => puzzle.error(new Error('Aborted'))),
    });
    return Promise.resolve(new Response(body));
  });
  vi.stubGlobal('fetch', asked);
  const asking = altcha.given.fetch?.('/api/captcha/challenge');
  await advanceTime(9000);

  expect(await (await asking)?.text()).toBe('{}');
  expect(asked).toHaveBeenCalledTimes(2);
});

test.each([
  ['is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['meets a fault', () => Promise.resolve(new Response('', { status: 502 }))],
])('retries a request for a challenge that %s', async (_what, first) => {
  await show();
  const asked = vi.fn<typeof fetch>().mockImplementationOnce(first).mockResolvedValue(new Response('{}'));
  vi.stubGlobal('fetch', asked);
  const asking = altcha.given.fetch?.('/api/captcha/challenge');
  await advanceTime(1000);

  expect((await asking)?.status).toBe(200);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('solves the challenge again on reset only if it had been solved', async () => {
  const { widget, become, tell } = await show();
  widget.reset();
  expect(calls.reset).toHaveBeenCalledTimes(1);
  expect(calls.verify).not.toHaveBeenCalled();

  become('verified', 'payload-1');
  widget.reset();
  expect(calls.reset).toHaveBeenCalledTimes(2);
  expect(calls.verify).toHaveBeenCalledTimes(1);
  become('expired');
  expect(tell).toHaveBeenCalledTimes(1);
  widget.reset();
  expect(calls.verify).toHaveBeenCalledTimes(1);
});

test.each([
  ['a limit', 429],
  ['a server with too much to do', 503],
])('shows until when to wait after %s at the first challenge', async (_what, status) => {
  const onChange = vi.fn();
  await answer(new Response('', { status, headers: { 'retry-after': '60' } }));
  // The widget says so as soon as it is in the page, before the code that put it there goes on.
  vi.spyOn(HTMLElement.prototype, 'append').mockImplementation(function (this: HTMLElement, ...nodes) {
    this.replaceChildren(...nodes);
    this.querySelector('altcha-widget')?.dispatchEvent(new CustomEvent('statechange', { detail: { state: 'error' } }));
  });
  render(
    <Captcha
      hwid="device-1"
      os="ios"
      advertiser="rinku"
      onChange={onChange}
      renderWait={({ until }) => <p>Until {until}</p>}
    />,
  );
  await advanceTime(100);

  expect(document.querySelector('altcha-widget')?.getAttribute('challenge')).toBe(
    '/api/captcha/challenge?hwid=device-1&os=ios',
  );
  expect(screen.getByText('The captcha needs a short break.')).toBeDefined();
  expect(screen.getByText(`Until ${NOW + 60_000}`)).toBeDefined();
  expect(onChange).toHaveBeenLastCalledWith(false);
});

test('is busy until it fails or is removed', async () => {
  const worked: boolean[] = [];
  const { unmount } = render(
    <Captcha
      hwid="device-1"
      os="ios"
      advertiser="rinku"
      onChange={() => undefined}
      onWork={(isWorking) => worked.push(isWorking)}
      renderWait={() => null}
    />,
  );
  await advanceTime(100);
  expect(worked.at(-1)).toBe(true);

  const widget = Object.assign(document.querySelector('altcha-widget')!, calls);
  widget.dispatchEvent(new CustomEvent('statechange', { detail: { state: 'error' } }));
  await advanceTime(0);
  expect(worked.at(-1)).toBe(false);
  expect(calls.reset).toHaveBeenCalledTimes(1);

  unmount();
  expect(worked.at(-1)).toBe(false);
});
