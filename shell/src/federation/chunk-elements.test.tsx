import type { Fault } from '@app/contracts/faults';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expirePendingChunks, watchChunkElement } from './chunk-elements.ts';
import { provideResolution } from './releases.ts';

let files = 0;
let file = '';

// The addresses that were requested are remembered, so each test has a file of its own.
beforeEach(() => (file = `a${(files += 1)}.js`));
afterEach(() => provideResolution({ revision: 0, units: {} }));

function watchScript(name = file): HTMLScriptElement {
  const script = document.createElement('script');
  script.src = `https://site.example/releases/tools/${name}`;
  watchChunkElement(script);
  return script;
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

test('a file is requested under its own address, and from the second time on under others', () => {
  const addresses = [1, 2, 3].map(() => new URL(watchScript().src).search);

  expect(addresses).toEqual(['', '?retry=1', '?retry=2']);
});

test.each<[Fault, string, string]>([
  ['offline', '?fault=offline', '?fault=offline'],
  ['slow', '?fault=slow', '?fault=slow'],
  ['corrupt', '?fault=corrupt', ''],
  ['crashing', '', ''],
])('of a unit that is %s the entry is requested with “%s”, what releases share with “%s”', (fault, entry, other) => {
  simulate(fault);

  expect(new URL(watchScript(entryOf(fault)).src).search).toBe(entry);
  expect(new URL(watchScript().src).search).toBe(other);
});

test('a simulated fault stays when a file is requested again', () => {
  simulate('offline');
  watchScript();

  expect(new URL(watchScript().src).search).toBe('?fault=offline&retry=1');
});

test('when the time is over, the loader of a file is told which one did not answer', () => {
  const script = watchScript();
  const link = document.createElement('link');
  link.href = 'https://site.example/releases/tools/2.0.0/static/css/a.css';
  watchChunkElement(link);
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

test('a file that has arrived is not waited for', () => {
  const script = watchScript();
  script.onerror = vi.fn();
  script.dispatchEvent(new Event('load'));
  expirePendingChunks();

  expect(script.onerror).not.toHaveBeenCalled();
});

test('a stylesheet that stands in the document is taken for loaded, and the browser fetches nothing', () => {
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
