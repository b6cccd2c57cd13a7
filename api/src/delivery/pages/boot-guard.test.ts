import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { BOOT_GUARD } from './boot-guard.ts';

const SHELL_FILE = 'https://site.example/releases/shell/1.4.0/static/js/shell.aaaaaaaa.js';

interface Visit {
  /** The attributes that the server wrote on the guard's element. */
  dataset?: { version?: string; good?: string; quiet?: string };
  cookie?: string;
  keepsCookies?: boolean;
  hasStarted?: boolean;
  /** Whether the browser has no cascade layers. */
  isOld?: boolean;
  /** How the browser came to the document. */
  by?: 'navigate' | 'reload' | 'back_forward';
  hash?: string;
  isOnline?: boolean;
}

interface Seen {
  reports: unknown[];
  reloads: number;
  cookie: string;
  pressedEarly?: unknown;
}

/** Opens a document with the guard. */
function open({
  dataset = { good: '1' },
  cookie = '',
  keepsCookies = true,
  hasStarted = false,
  isOld = false,
  by = 'navigate',
  hash = '',
  isOnline = true,
}: Visit = {}) {
  const seen: Seen = { reports: [], reloads: 0, cookie: '' };
  let now = 1_000_000;
  const timers: { at: number; act: () => void }[] = [];
  const jar = [cookie];
  const documentElement = { dataset: (hasStarted ? { started: 'true' } : {}) as Record<string, string> };
  const listeners = new Map<string, ((event: object) => void)[]>();
  /** What `history.scrollRestoration` was set to, and when the page had to be laid out. */
  const restored: string[] = [];
  const scrolls: number[][] = [];
  const refetched: unknown[] = [];
  /** What the document shows at first: that it starts, and not that the browser is too old. */
  const parts: Record<string, { hidden: boolean }> = { '.boot': { hidden: false }, '.too-old': { hidden: true } };
  const window = {
    document: {
      currentScript: { dataset: { version: '1.4.0', ...dataset } },
      // The page is not hydrated before the shell has started.
      querySelector: (selector: string) => parts[selector] ?? (hasStarted ? null : {}),
      createRange: () => ({ createContextualFragment: (html: string) => `anew ${html}` }),
      documentElement,
      get cookie() {
        return jar.filter((one) => one !== '').join('; ');
      },
      set cookie(text: string) {
        seen.cookie = text;
        if (keepsCookies) jar.push(text.split(';')[0] ?? '');
      },
    },
    addEventListener: (type: string, added: (event: object) => void) =>
      listeners.set(type, [...(listeners.get(type) ?? []), added]),
    fetch: (url: string, { cache }: RequestInit) => {
      refetched.push([url, cache]);
      return isOnline ? Promise.resolve() : Promise.reject(new TypeError('Failed to fetch'));
    },
    navigator: { sendBeacon: (path: string, [text]: string[]) => seen.reports.push([path, JSON.parse(text ?? '')]) },
    Date: { now: () => now },
    // Its parts stand for the blob.
    Blob: function (parts: string[]) {
      return parts;
    },
    location: { reload: () => seen.reloads++, host: 'site.example', search: '?hwid=device-1&zone=z1&side=x', hash },
    performance: { getEntriesByType: () => [{ type: by }] },
    history: {
      set scrollRestoration(by: string) {
        restored.push(by);
      },
    },
    get scrollY() {
      return restored.push('laid out');
    },
    scrollTo: (...to: number[]) => scrolls.push(to),
    setTimeout: (act: () => void, ms = 0) => timers.push({ at: now + ms, act }),
    URL,
    URLSearchParams,
    window: isOld ? {} : { CSSLayerBlockRule: Object },
    self: seen,
  };
  function pass(ms: number) {
    now += ms;
    for (const { at, act } of timers.splice(0))
      if (at <= now) act();
      else timers.push({ at, act });
  }
  const tell = (type: string, event: object) => listeners.get(type)?.forEach((listener) => listener(event));
  runInNewContext(BOOT_GUARD, window);

  /** Lets an element of the document fail. Returns what the guard puts in its place, when timers and answers have come. */
  async function failOnce(attributes: object) {
    const replaceWith = vi.fn();
    const element = { dataset: {}, outerHTML: JSON.stringify(attributes), replaceWith, ...attributes };
    tell('error', { target: element });
    pass(0);
    await new Promise(setImmediate);
    return { element, by: replaceWith.mock.calls.flat() };
  }

  return {
    seen,
    refetched,
    failOnce,
    /** Lets an element fail, and what the guard puts in its place. */
    async fail(this: void, attributes: object) {
      const { element, by } = await failOnce(attributes);
      if (by.length > 0) tell('error', { target: element });
    },
    restored,
    scrolls,
    tell,
    /** Which of the two parts are shown. */
    shown: () => Object.keys(parts).filter((part) => !parts[part]?.hidden),
    /** Whether the document shows at once that the page does not work. */
    saysSo: () => 'failed' in documentElement.dataset,
    pass,
    leave: () => (window as { onbeforeunload?: () => void }).onbeforeunload?.(),
    throwIn: (filename: string) => tell('error', { target: window, filename }),
    /** Follows a link, by pointer (which may open another tab) or by keyboard; returns where it leads. */
    follow(href: string, by: 'pointerdown' | 'click') {
      const link = { href };
      const closest = (selector: string) => (selector === 'a[href]' ? link : null);
      tell(by, { target: { closest } });
      return String(link.href);
    },
    /** Clicks a button. Returns the event. */
    press(this: void, button: { isAlive: boolean }) {
      const selected = '[data-unit]:not([data-source]) button';
      const event = {
        target: { closest: (selector: string) => (selector === selected && !button.isAlive ? {} : null) },
      };
      tell('click', event);
      return event;
    },
    /** Submits a form; returns whether the browser would leave the page for it. */
    submit(form: { isAlive: boolean; hasMethod?: boolean }) {
      let isLeaving = true;
      const preventDefault = () => (isLeaving = false);
      // As in the selector: the form is in a page of a unit that is not hydrated yet.
      const matches = (selector: string) =>
        selector === '[data-unit]:not([data-source]) :not([method])' && !form.isAlive && !form.hasMethod;
      tell('submit', { target: { matches }, preventDefault });
      return isLeaving;
    },
  };
}

test('the boot guard stays within its size limit', () => {
  expect(BOOT_GUARD.length).toBeLessThanOrEqual(1728);
});

test.each([
  { src: SHELL_FILE },
  { href: 'https://site.example/releases/shell/1.4.0/a.css', rel: 'stylesheet', as: '' },
])('a shell that fails to load is reported, and the last good one is loaded: %s', async (element) => {
  const { seen, fail } = open();
  await fail(element);

  expect(seen.reports).toEqual([['/api/load-reports', { unit: 'shell', version: '1.4.0', failure: 'error' }]]);
  expect(seen.cookie).toBe('failed-shell=1.4.0;path=/;max-age=86400;samesite=lax');
  expect(seen.reloads).toBe(1);
});

test.each([true, false])(
  'a file that fails to load is requested again past the cache before it counts as failed (online: %s)',
  async (isOnline) => {
    const { refetched, failOnce, saysSo, seen } = open({ isOnline });
    const { element, by } = await failOnce({ src: SHELL_FILE });

    expect(refetched).toEqual([[SHELL_FILE, 'reload']]);
    expect(by).toEqual([`anew ${element.outerHTML}`]);
    expect({ ...seen, says: saysSo() }).toEqual({ reports: [], reloads: 0, cookie: '', says: false });
  },
);

test('a request cancelled by navigation is no failure, and is retried if the page is still open', async () => {
  const { leave, pass, failOnce, tell, refetched, saysSo, seen } = open();
  leave();
  const { element } = await failOnce({ src: SHELL_FILE });
  pass(2999);
  expect(refetched).toEqual([]);
  pass(1);
  expect(refetched).toHaveLength(1);

  leave();
  pass(2999);
  tell('error', { target: element });
  expect({ ...seen, says: saysSo() }).toEqual({ reports: [], reloads: 0, cookie: '', says: false });
  pass(1);
  tell('error', { target: element });
  expect([seen.reports.length, saysSo()]).toEqual([1, true]);
});

test('an error in an unsupported browser is not reported', async () => {
  const { fail, throwIn, saysSo, seen } = open({ isOld: true });
  await fail({ src: SHELL_FILE });
  throwIn(SHELL_FILE);

  expect({ ...seen, says: saysSo() }).toEqual({ reports: [], reloads: 0, cookie: '', says: false });
});

test.each([
  [true, '.too-old'],
  [false, '.boot'],
])('in an unsupported browser (%s) the document shows %s alone', (isOld, part) => {
  const { tell, shown } = open({ isOld });
  tell('DOMContentLoaded', {});

  expect(shown()).toEqual([part]);
});

test('a shell that throws before its first render counts as crashed', () => {
  const { seen, throwIn } = open();
  throwIn(SHELL_FILE);

  expect(seen.reports).toMatchObject([['/api/load-reports', { failure: 'crashed' }]]);
  expect(seen.reloads).toBe(1);
});

test.each<[string, Visit]>([
  ['the version has failed here before', { cookie: 'a=b; failed-shell=1.4.0' }],
  ['the page is there', { hasStarted: true }],
])('ignores the error when %s', async (_when, visit) => {
  const { seen, fail } = open(visit);
  await fail({ src: SHELL_FILE });

  expect(seen).toEqual({ reports: [], reloads: 0, cookie: '' });
});

test.each<[boolean, string, Visit]>([
  [true, 'where there is no last good one', { dataset: {} }],
  [true, 'where the last good one has failed as well', { cookie: 'failed-shell=1.4.0' }],
  [false, 'while the page is there', { hasStarted: true }],
])('the document shows that its shell has failed (%s) %s', async (saysSo, _where, visit) => {
  const guard = open(visit);
  await guard.fail({ src: 'https://site.example/releases/tools/1.0.0/remoteEntry.aaaaaaaa.js' });
  expect(guard.saysSo()).toBe(false);

  await guard.fail({ src: SHELL_FILE });
  expect(guard.saysSo()).toBe(saysSo);
});

test('a failure of another version is ignored for this one', async () => {
  const { seen, fail } = open({ cookie: 'failed-shell=1.4.0-dev.1' });
  await fail({ src: SHELL_FILE });

  expect(seen.reloads).toBe(1);
});

test('without a last good shell, or with cookies disabled, the page is not reloaded', async () => {
  const alone = open({ dataset: {} });
  await alone.fail({ src: SHELL_FILE });
  const forgetful = open({ keepsCookies: false });
  await forgetful.fail({ src: SHELL_FILE });

  expect([alone.seen.reports.length, alone.seen.reloads, alone.seen.cookie]).toEqual([1, 0, '']);
  expect([forgetful.seen.reports.length, forgetful.seen.reloads]).toEqual([1, 0]);
});

test('a simulated fault is not reported', async () => {
  const { seen, fail } = open({ dataset: { good: '1', quiet: '1' } });
  await fail({ src: SHELL_FILE });

  expect([seen.reports.length, seen.reloads]).toEqual([0, 1]);
});

test('failed preloads, translations, other units and browser scripts are ignored', async () => {
  const { seen, fail, throwIn } = open();
  await fail({ href: 'https://site.example/releases/shell/1.4.0/a.woff2', rel: 'preload', as: 'font' });
  await fail({ src: 'https://site.example/releases/shell/1.4.0/static/translations/vi.aaaaaaaa.js' });
  throwIn('https://site.example/releases/shell/1.4.0/static/translations/vi.aaaaaaaa.js');
  await fail({ src: 'https://site.example/releases/tools/1.0.0/remoteEntry.aaaaaaaa.js' });
  throwIn('chrome-extension://abc/shell.js');

  expect(seen.reports).toEqual([]);
});

test('an error of injected code is no shell failure, even with the page’s address in its stack', () => {
  const { seen, throwIn } = open();
  // An app that embeds the page runs code of its own in it.
  throwIn('https://site.example/v5?x=/releases/shell/1.4.0/');
  throwIn('https://site.example/v5#/releases/shell/1.4.0/');

  expect(seen).toEqual({ reports: [], reloads: 0, cookie: '' });
});

test('a form without a method waits for hydration and keeps its input; one with a method is submitted', () => {
  const visit = open();

  expect(visit.submit({ isAlive: false })).toBe(false);
  expect(visit.submit({ isAlive: true })).toBe(true);
  expect(visit.submit({ isAlive: false, hasMethod: true })).toBe(true);
});

test('the last click on a button before hydration is recorded', () => {
  const { seen, press } = open();
  press({ isAlive: true });
  expect(seen.pressedEarly).toBeUndefined();

  press({ isAlive: false });
  const last = press({ isAlive: false });
  expect(seen.pressedEarly).toBe(last);
});

test.each([
  ['https://site.example/plans', 'https://site.example/plans?hwid=device-1&zone=z1'],
  ['https://site.example/plans?hwid=other#faq', 'https://site.example/plans?hwid=other&zone=z1#faq'],
  ['https://elsewhere.example/a', 'https://elsewhere.example/a'],
  ['mailto:team@site.example', 'mailto:team@site.example'],
])('the link %s, followed before hydration, leads to %s', (href, reached) => {
  for (const by of ['pointerdown', 'click'] as const) {
    expect(open().follow(href, by)).toBe(reached);
    expect(open({ hasStarted: true }).follow(href, by)).toBe(href);
  }
});

test.each([
  { by: 'reload', hash: '', set: ['manual', 'laid out'], scrolls: [[0, 0]] },
  { by: 'reload', hash: '#faq', set: ['manual', 'laid out'], scrolls: [] },
  { by: 'navigate', hash: '', set: [], scrolls: [] },
  { by: 'back_forward', hash: '', set: [], scrolls: [] },
] as const)('a reloaded page starts at its top, other pages restore the scroll position: $by $hash', (visit) => {
  const { restored, tell, scrolls } = open(visit);
  tell('DOMContentLoaded', {});
  expect([restored, scrolls]).toEqual([visit.set, visit.scrolls]);
});

test.each(['load', 'pagehide'])(
  'after %s, the browser restores the scroll position on going back to a reloaded page',
  (event) => {
    const { restored, tell, pass } = open({ by: 'reload' });
    tell(event, {});
    // The browser scrolls at the end of `load`.
    if (event === 'load') expect(restored.at(-1)).not.toBe('auto');
    pass(0);

    expect(restored.at(-1)).toBe('auto');
  },
);

test.each(['pointerdown', 'wheel', 'keydown'])('a reloaded page keeps the visitor’s scroll position: %s', (event) => {
  const { tell, scrolls } = open({ by: 'reload' });
  tell(event, { target: { closest: () => null } });
  tell('DOMContentLoaded', {});

  expect(scrolls).toEqual([]);
});
