import type { Resolution } from '@app/contracts/resolution';
import { provideSiteSettings } from '@app/platform';
import { SITE_SETTINGS } from '@app/testing/site-settings';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleVisit } from './sample-visit.ts';

const ENTRY = { url: '/x.js', integrity: 'sha384-x' };
const RESOLUTION: Resolution = {
  revision: 1,
  units: { shell: { version: '2.0.0', source: 'stable', entry: ENTRY, routes: [] } },
};

/** What the browser has in its buffers. */
let entries: Record<string, object[]>;
let isHidden: boolean;
const sentReports: { path: string; init: RequestInit & { body: string } }[] = [];

vi.mock('web-vitals', () => {
  const on = (name: string, value: number) => (note: (metric: object) => void) =>
    // As the library does: when the page is hidden, before others learn of it.
    addEventListener('visibilitychange', () => document.hidden && note({ name, value }), { capture: true });
  return { onLCP: on('LCP', 812.34567), onINP: on('INP', 56), onCLS: on('CLS', 0.012345) };
});

beforeEach(() => {
  entries = { works: [{ startTime: 900 }] };
  isHidden = false;
  sentReports.length = 0;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
  const read = (key: string) => (entries[key] ?? []) as never[];
  vi.spyOn(performance, 'getEntriesByName').mockImplementation(read);
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(read);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit & { body: string }) => {
    sentReports.push({ path, init });
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  history.replaceState(null, '', '/encrypter?hwid=device-1');
  document.body.innerHTML = '<div data-unit="tools" data-version="1.4.0"></div>';
  setSettings({ fieldTimingsShare: 1 });
});

afterEach(() => {
  // What a test did not tell is told now.
  hide();
});

function setSettings(settings: Partial<typeof SITE_SETTINGS>) {
  provideSiteSettings({ ...SITE_SETTINGS, ...settings });
}

async function sample(resolution = RESOLUTION) {
  sampleVisit(resolution);
  await vi.dynamicImportSettled();
}

function hide() {
  isHidden = true;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

function show() {
  isHidden = false;
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

const reportBody = () => JSON.parse(sentReports[0]?.init.body ?? '') as object;

test('page timings are reported once, when the page is first hidden, without device or cookies', async () => {
  await sample();
  expect(sentReports).toEqual([]);
  hide();
  show();
  hide();

  expect(sentReports).toHaveLength(1);
  expect(sentReports[0]).toMatchObject({
    path: '/api/field-timings',
    init: { method: 'POST', keepalive: true, credentials: 'omit' },
  });
  expect(reportBody()).toEqual({
    page: '/encrypter',
    version: '1.4.0',
    shell: '2.0.0',
    cached: true,
    works: 900,
    lcp: 812.3457,
    inp: 56,
    cls: 0.0123,
  });
});

test.each([
  [undefined, 0.01, 0],
  [undefined, 0.009, 1],
  [0.25, 0.25, 0],
  [0.25, 0.249, 1],
])(
  'with a sampling rate of %s, a visit with the random number %d is reported %i times',
  async (share, chance, times) => {
    setSettings({ fieldTimingsShare: share });
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    await sample();
    hide();

    expect(sentReports).toHaveLength(times);
  },
);

test.each([
  ['the canary', { source: 'canary' }, 1],
  ['a pinned version', { source: 'pin' }, 0],
  ['a unit from this computer', { source: 'local' }, 0],
  ['a simulated fault', { source: 'stable', fault: 'slow' }, 0],
] as const)('with %s the report contains %j %i times', async (_what, chosen, times) => {
  const tools = { version: '1.4.0', entry: ENTRY, routes: [], ...chosen };
  await sample({ ...RESOLUTION, units: { ...RESOLUTION.units, tools }, qa: { access: true, pins: {} } });
  hide();

  expect(sentReports).toHaveLength(times);
});

test('a page without a unit and a hidden page report nothing', async () => {
  document.body.replaceChildren();
  await sample();
  document.body.innerHTML = '<div data-unit="tools" data-version="1.4.0"></div>';
  isHidden = true;
  await sample();
  show();
  hide();

  expect(sentReports).toEqual([]);
});

test.each([
  { what: 'came from the server', transferSize: 300, responseEnd: 800, cached: false },
  { what: 'came from the cache', transferSize: 0, responseEnd: 800, cached: true },
  { what: 'came after hydration', transferSize: 300, responseEnd: 901, cached: true },
])('a script that $what has cached $cached', async ({ cached, ...script }) => {
  entries['resource'] = [
    { name: 'https://site.example/releases/shell/shell.0a1b2c3d.js', transferSize: 0, responseEnd: 700 },
    { name: 'https://site.example/releases/tools/page.0a1b2c3d.js', ...script },
    { name: 'https://site.example/releases/tools/page.0a1b2c3d.css', transferSize: 300, responseEnd: 100 },
  ];
  await sample();
  hide();

  expect(reportBody()).toMatchObject({ cached });
});

test.each([
  { what: 'was shown from the start', works: 900 },
  { what: 'never hydrated', marks: [], works: undefined },
  { what: 'was in the background while it loaded', hiddenAt: 0, works: undefined },
  { what: 'was left after hydration', hiddenAt: 950, works: 900 },
  { what: 'was prerendered', hiddenAt: 0, activationStart: 400, works: 500 },
  { what: 'hydrated during prerendering', hiddenAt: 0, activationStart: 1000, works: 0 },
])('the hydration time of a page that $what is $works ms', async ({ marks, hiddenAt, activationStart = 0, works }) => {
  if (marks) entries['works'] = marks;
  entries['navigation'] = [{ activationStart }];
  entries['visibility-state'] = hiddenAt === undefined ? [] : [{ name: 'hidden', startTime: hiddenAt }];
  await sample();
  hide();

  expect((reportBody() as { works?: number }).works).toBe(works);
  expect(reportBody()).toMatchObject({ lcp: 812.3457 });
});
