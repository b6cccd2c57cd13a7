import { beforeEach, expect, test, vi } from 'vitest';
import { RECAPTCHA } from '../../test/fake-recaptcha.ts';
import type { CaptchaEvent } from './widget.ts';

const SUBJECT = { hwid: 'device-1', os: 'ios' } as const;
const page = globalThis as unknown as { onRecaptchaLoaded: () => void };

let scripts: HTMLScriptElement[] = [];
let create: (place: HTMLElement, tell: (event: CaptchaEvent) => void) => Promise<{ reset: () => void }>;
const recaptcha = { render: vi.fn<(place: HTMLElement, options: Record<string, unknown>) => number>(), reset: vi.fn() };

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('grecaptcha', recaptcha);
  scripts = [];
  vi.spyOn(document.head, 'append').mockImplementation((script) => void scripts.push(script as HTMLScriptElement));
  recaptcha.render.mockReset().mockReturnValue(7);
  recaptcha.reset.mockReset();
  // Each test opens a page of its own, into which no script was loaded yet.
  vi.resetModules();
  const { createRecaptcha } = await import('./recaptcha.ts');
  create = (place, tell) => createRecaptcha(RECAPTCHA)(place, SUBJECT, tell);
});

/** A place in the page, so many pixels wide. */
function placeOf(width = 304): HTMLElement {
  const place = document.createElement('div');
  vi.spyOn(place, 'clientWidth', 'get').mockReturnValue(width);
  return place;
}

async function load() {
  const [tell, place] = [vi.fn(), placeOf()];
  const widget = create(place, tell);
  page.onRecaptchaLoaded();
  return { widget: await widget, tell, place, options: recaptcha.render.mock.lastCall?.[1] ?? {} };
}

test('waits for the script’s callback, and after nine seconds requests the script at another address', async () => {
  const isThere = vi.fn();
  void create(placeOf(), vi.fn()).then(isThere);
  const address = 'https://captcha.test/api.js?onload=onRecaptchaLoaded&render=explicit';
  await vi.advanceTimersByTimeAsync(8999);
  expect(scripts.map(({ tagName, src }) => `${tagName} ${src}`)).toEqual([`SCRIPT ${address}`]);
  // A browser joins requests of the same address.
  await vi.advanceTimersByTimeAsync(1);
  expect(scripts.map(({ src }) => src)).toEqual([address, `${address}&try=2`]);
  expect(isThere).not.toHaveBeenCalled();

  page.onRecaptchaLoaded();
  await vi.advanceTimersByTimeAsync(18_000);
  expect(isThere).toHaveBeenCalled();
  expect(scripts).toHaveLength(2);
});

test('accepts a path as the address of the script', async () => {
  const { createRecaptcha } = await import('./recaptcha.ts');
  void createRecaptcha({ ...RECAPTCHA, scriptUrl: '/fake/api.js?hl=en' })(placeOf(), SUBJECT, vi.fn());

  expect(scripts[0]?.src).toBe(`${location.origin}/fake/api.js?hl=en&onload=onRecaptchaLoaded&render=explicit`);
});

test('loads the script once for two widgets', async () => {
  await load();
  await create(placeOf(), vi.fn());

  expect(scripts).toHaveLength(1);
  expect(recaptcha.render).toHaveBeenCalledTimes(2);
});

test('renders the widget in an element of its own, with the dark theme', async () => {
  const { place } = await load();

  const [inside, options] = recaptcha.render.mock.lastCall ?? [];
  expect(inside?.tagName).toBe('DIV');
  expect([...place.children]).toEqual([inside]);
  expect(options).toMatchObject({ sitekey: 'site-1', theme: 'dark', size: 'normal' });
});

test('renders the compact widget in a narrow place', async () => {
  const widget = create(placeOf(303), vi.fn());
  page.onRecaptchaLoaded();
  await widget;

  expect(recaptcha.render.mock.lastCall?.[1]).toMatchObject({ size: 'compact' });
});

test('reports the events of the widget, and resets the widget', async () => {
  const { widget, tell, options } = await load();
  (options['callback'] as (token: string) => void)('token-1');
  (options['expired-callback'] as () => void)();
  (options['error-callback'] as () => void)();
  expect(tell.mock.calls).toEqual([
    [{ type: 'solved', token: 'token-1' }],
    [{ type: 'expired' }],
    [{ type: 'failed' }],
  ]);

  widget.reset();
  expect(recaptcha.reset.mock.calls).toEqual([[7]]);
});

test.each([
  ['cannot be loaded', 'Error', () => scripts[0]?.dispatchEvent(new Event('error'))],
  ['is silent for eighteen seconds', 'TimeoutError', () => vi.advanceTimersByTime(18_000)],
])('fails when the script %s, and loads the script again at the next try', async (_what, name, fail) => {
  const place = placeOf();
  const failed = create(place, vi.fn()).catch((error: unknown) => error);
  fail();
  expect(await failed).toMatchObject({ name, message: expect.stringContaining('did not load') as string });
  expect(vi.getTimerCount()).toBe(0);
  expect(place.childElementCount).toBe(0);

  const before = scripts.length;
  await load();
  expect(scripts).toHaveLength(before + 1);
  expect(scripts.at(-1)?.src).toContain(`&try=${before + 1}`);
});

/** Draws a widget whose frame is in the page. */
async function loadFrame() {
  const loaded = await load();
  const inside = recaptcha.render.mock.lastCall?.[0];
  const frame = document.createElement('iframe');
  frame.srcdoc = 'Captcha of the provider';
  inside?.append(frame);
  document.body.append(loaded.place);
  expect(frame.contentWindow).not.toBeNull();
  return { ...loaded, frame };
}

test('reports a frame as lost that sends no message for eighteen seconds', async () => {
  const { tell } = await loadFrame();
  window.dispatchEvent(new MessageEvent('message', { source: window }));
  await vi.advanceTimersByTimeAsync(17_999);
  expect(tell).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(tell.mock.calls).toEqual([[{ type: 'lost' }]]);
});

test('does not report a solved widget as lost', async () => {
  const { tell, options } = await load();
  (options['callback'] as (token: string) => void)('token-1');
  await vi.advanceTimersByTimeAsync(20_000);

  expect(tell.mock.calls).toEqual([[{ type: 'solved', token: 'token-1' }]]);
});

test('does not report a frame as lost that has sent a message', async () => {
  const { tell, frame } = await loadFrame();
  frame.after(Object.assign(document.createElement('iframe'), { srcdoc: 'Another frame' }));
  window.dispatchEvent(new MessageEvent('message', { source: frame.contentWindow }));
  await vi.advanceTimersByTimeAsync(20_000);

  expect(tell).not.toHaveBeenCalled();
});
