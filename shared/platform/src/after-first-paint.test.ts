import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
});

/** Opens a page that was not painted yet and does not work yet. */
async function open(readyState = 'interactive') {
  let paint: () => void = () => undefined;
  class Observer {
    static readonly supportedEntryTypes = ['paint'];
    constructor(told: (list: object, observer: object) => void) {
      paint = () => told({ getEntriesByName: () => ['an entry'] }, { disconnect: () => undefined });
    }
    observe = () => undefined;
  }
  vi.stubGlobal('PerformanceObserver', Observer);
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => setTimeout(then));
  let load: () => void = () => undefined;
  vi.stubGlobal('document', { readyState });
  vi.stubGlobal('addEventListener', (_name: string, told: () => void) => (load = told));
  vi.resetModules();
  const { afterFirstPaint, notePageSettled } = await import('./after-first-paint.ts');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let isTime = false;
  void afterFirstPaint().then(() => (isTime = true));
  const look = async () => {
    await vi.advanceTimersByTimeAsync(1000);
    return isTime;
  };
  return { paint: () => paint(), load: () => load(), settle: notePageSettled, look };
}

test.each([
  ['hydrates after its paint', 'paint', 'settle'],
  ['hydrates before its paint', 'settle', 'paint'],
  ['loads without a reported paint', 'settle', 'load'],
] as const)('waits for the first paint of a page that %s', async (_what, first, last) => {
  const page = await open();
  page[first]();
  expect(await page.look()).toBe(false);
  page[last]();
  expect(await page.look()).toBe(true);
});

test('does not wait for the load event of a page that has loaded', async () => {
  const { settle, look } = await open('complete');
  settle();
  expect(await look()).toBe(true);
});
