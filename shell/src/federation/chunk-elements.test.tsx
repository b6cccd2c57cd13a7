import type { Fault } from '@app/contracts/unit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expirePendingChunks, watchChunkElement } from './chunk-elements.ts';
import { provideResolution } from './releases.ts';

let files = 0;
let file = '';

// The addresses that were requested are remembered, so each test has a file of its own.
beforeEach(() => (file = `a${(files += 1)}.js`));
afterEach(() => provideResolution({ revision: 0, units: {} }));

const FOLDER = 'https://site.example/releases/tools/';

function watchScript(name = file): HTMLScriptElement {
  const script = Object.assign(document.createElement('script'), { src: FOLDER + name });
  watchChunkElement(script);
  return script;
}

function watchLink(): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { href: `${FOLDER}${file}.css` });
  watchChunkElement(link);
  return link;
}

/** Each fault has an entry of its own, as above. */
function entryOf(fault: Fault): string {
  return `remoteEntry.${fault}.js`;
}

function simulate(fault: Fault) {
  const entry = { url: `/releases/tools/${entryOf(fault)}`, integrity: 'sha384-x' };
  const tools = { version: '2.0.0', source: 'pin' as const, entry, routes: [], fault };
  provideResolution({ revision: 1, units: { tools } });
}

test('a retried file has another URL', () => {
  const addresses = [1, 2, 3].map(() => new URL(watchScript().src).search);

  expect(addresses).toEqual(['', '?retry=1', '?retry=2']);
});

test.each<[Fault, string, string]>([
  ['offline', '?fault=offline', '?fault=offline'],
  ['slow', '?fault=slow', '?fault=slow'],
  ['corrupt', '?fault=corrupt', ''],
  ['crashing', '', ''],
])('with a unit that is %s the entry is requested with “%s”, shared chunks with “%s”', (fault, entry, other) => {
  simulate(fault);

  expect(new URL(watchScript(entryOf(fault)).src).search).toBe(entry);
  expect(new URL(watchScript().src).search).toBe(other);
});

test('a simulated fault stays when a file is requested again', () => {
  simulate('offline');
  watchScript();

  expect(new URL(watchScript().src).search).toBe('?fault=offline&retry=1');
});

test('a timeout event names the file that did not answer', () => {
  const script = watchScript();
  const link = watchLink();
  const told: unknown[] = [];
  for (const element of [script, link])
    element.onerror = (event) => {
      const target = event instanceof Event && event.target;
      told.push([event instanceof Event && event.type, target && Reflect.get(target, 'src')]);
    };

  expirePendingChunks();
  expirePendingChunks();

  expect(told).toEqual([
    ['timeout', script.src],
    ['timeout', link.href],
  ]);
});

test('a retry after a timeout has another URL, because Chromium waits for the open first request', () => {
  watchScript().onerror = vi.fn();
  expirePendingChunks();

  expect(new URL(watchScript().src).search).toBe('?retry=1');
});

test('a loaded file does not time out', () => {
  const script = watchScript();
  script.onerror = vi.fn();
  script.dispatchEvent(new Event('load'));
  expirePendingChunks();

  expect(script.onerror).not.toHaveBeenCalled();
});

/** Puts an element where its successor can be found. In the document it would be fetched. */
function place(element: Element) {
  const head = document.createElement('head');
  head.append(element);
  return () => head.firstElementChild as HTMLScriptElement | HTMLLinkElement;
}

test.each(['beforeunload', 'pagehide'])(
  'a script that is cancelled because the visitor leaves (%s) is requested again on return',
  (leaves) => {
    const script = watchScript();
    const present = place(script);
    Object.assign(script, { integrity: 'sha384-right', onload: vi.fn(), onerror: vi.fn() });
    script.dataset['chunks'] = 'tools_chunks';
    const { src, onload, onerror } = script;

    window.dispatchEvent(new Event(leaves));
    script.dispatchEvent(new Event('error'));
    expect(present()).toBe(script);
    window.dispatchEvent(new Event('pageshow'));
    expect(present()).not.toBe(script);
    expect(present()).toMatchObject({ src: `${src}?retry=1`, integrity: 'sha384-right' });
    expect(present().dataset['chunks']).toBe('tools_chunks');
    expect(onerror).not.toHaveBeenCalled();

    present().dispatchEvent(new Event('load'));
    expect(onload).toHaveBeenCalledOnce();
  },
);

test('a cancelled script is requested again although another file has loaded', () => {
  const [arrived, script] = [watchScript(), watchScript(`beside-${file}`)];
  const present = place(script);
  const failed = vi.fn();
  script.onerror = failed;
  arrived.dispatchEvent(new Event('load'));
  window.dispatchEvent(new Event('beforeunload'));
  script.dispatchEvent(new Event('error'));
  window.dispatchEvent(new Event('pageshow'));

  expect(present()).not.toBe(script);
  expect(failed).not.toHaveBeenCalled();
});

test('a stylesheet that a download has cancelled is requested again after 3 s', () => {
  vi.useFakeTimers();
  const link = watchLink();
  const present = place(link);
  const failed = vi.fn();
  link.onerror = failed;
  window.dispatchEvent(new Event('beforeunload'));
  link.dispatchEvent(new Event('error'));
  vi.advanceTimersByTime(2999);
  expect(present()).toBe(link);

  vi.advanceTimersByTime(1);
  expect(present()).toMatchObject({ href: `${link.href}?retry=1` });
  expect(failed).not.toHaveBeenCalled();
  present().dispatchEvent(new Event('error'));
  expect(failed).toHaveBeenCalledOnce();
});

test('a cancelled file that has timed out is not requested again', () => {
  const script = watchScript();
  const present = place(script);
  window.dispatchEvent(new Event('pagehide'));
  script.dispatchEvent(new Event('error'));
  expirePendingChunks();
  window.dispatchEvent(new Event('pageshow'));

  expect(present()).toBe(script);
});

test('listens for beforeunload only while code loads, to keep the back/forward cache of Firefox', () => {
  expirePendingChunks();
  const listening = [vi.spyOn(window, 'addEventListener'), vi.spyOn(window, 'removeEventListener')] as const;
  const count = () => listening.map(({ mock }) => mock.calls.filter(([type]) => type === 'beforeunload').length);
  const script = watchScript();
  expect(count()).toEqual([1, 0]);

  script.dispatchEvent(new Event('load'));
  expect(count()).toEqual([1, 1]);
});

test('a stylesheet that is inlined in the document is not fetched', () => {
  const href = '/releases/tools/2.0.0/static/css/page.css';
  const style = document.head.appendChild(document.createElement('style'));
  style.dataset['href'] = href;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  link.setAttribute('data-rspack-loading', 'tools');
  link.onerror = vi.fn();

  watchChunkElement(link);
  expirePendingChunks();
  style.remove();

  expect([link.hasAttribute('rel'), link.hasAttribute('data-rspack-loading')]).toEqual([false, false]);
  expect(new URL(link.href, location.href).pathname).toBe(href);
  expect(link.onerror).not.toHaveBeenCalled();
});
