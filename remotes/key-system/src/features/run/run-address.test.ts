import { expect, test } from 'vitest';
import { appOf, beginPath, earlyStepLink, nameOfApp, runAddress, stepLink, stepOf } from './run-address.ts';

test.each([
  ['/key-system-1', 'main', 1],
  ['/key-system-6', 'main', 6],
  ['/rosaverx/key-system-3', 'companion', 3],
  ['/rosaverx/key-system-3/', 'companion', 3],
  ['/key-system-getkey', 'main', undefined],
  ['/key-system-12', 'main', undefined],
])('%s is a page of the %s app with step %s', (pathname, app, step) => {
  expect(appOf(pathname, new URLSearchParams('app=tool'))).toBe(app);
  expect(stepOf(pathname)).toBe(step);
});

test('a run of the main app without a zone starts at the gate, every other run at step 1', () => {
  expect(beginPath('main', undefined)).toBe('/gate');
  expect(beginPath('main', 'z1')).toBe('/key-system-1');
  expect(beginPath('companion', undefined)).toBe('/rosaverx/key-system-1');
});

test('the pages of registered apps have the same paths, with the app in the query', () => {
  expect(appOf('/apps/key-system-2', new URLSearchParams('app=tool'))).toBe('tool');
  expect(stepOf('/apps/key-system-9')).toBe(9);
  expect(runAddress('tool', 2, { run: 'new' })).toBe('/apps/key-system-2?app=tool&run=new');
  expect(runAddress('main', 2)).toBe('/key-system-2');
  expect(stepLink({ ...PRESS, app: 'tool' })).toBe(
    '/api/apps/tool/keysystem?hwid=device-1&advertiser=workink&zone=z1&step=2',
  );
});

test.each(['', 'app=', 'app=main', 'app=companion'])('the query %j names no registered app', (query) => {
  expect(appOf('/apps/key-system-1', new URLSearchParams(query))).toBe('?');
});

test('the name of a registered app has a blank line while it loads', () => {
  const about = { name: 'Tool', scheme: null, colour: 'red', advertisers: [] } as const;
  expect(nameOfApp('constructor', undefined)).toBe('\u00a0');
  expect(nameOfApp('constructor', { ...about, advertisers: [] })).toBe('Tool');
  expect(nameOfApp('main', undefined)).toBe('Arceus X');
});

const PRESS = { step: 2, hwid: 'device-1', zone: 'z1', os: 'ios', namedOs: undefined, advertiser: 'workink' } as const;

test('a Complete button carries device, zone, system, advertiser and step', () => {
  expect(stepLink({ ...PRESS, app: 'main' })).toBe(
    '/api/keysystemv2?hwid=device-1&advertiser=workink&os=ios&zone=z1&step=2',
  );
  expect(stepLink({ ...PRESS, app: 'main', zone: undefined })).toBe(
    '/api/keysystemv2?hwid=device-1&advertiser=workink&os=ios&step=2',
  );
});

test.each([
  [1, '/api/saverobux/keysystem?hwid=device-1&zone=z1'],
  [3, '/api/saverobux/keysystem?hwid=device-1&zone=z1&step=3'],
])('the button of step %d of the companion links to its own endpoint', (step, link) => {
  expect(stepLink({ ...PRESS, app: 'companion', step })).toBe(link);
});

test('the link of the companion carries the system only when the page address does', () => {
  expect(stepLink({ ...PRESS, app: 'companion', step: 1, namedOs: 'android_vng' })).toBe(
    '/api/saverobux/keysystem?hwid=device-1&zone=z1&os=android_vng',
  );
});

test.each([
  ['main', '/api/keysystemv2?hwid=device-1&advertiser=workink&os=ios&zone=z1&run=new&step=1'],
  ['companion', '/api/saverobux/keysystem?hwid=device-1&zone=z1&run=new'],
] as const)('a link of the %s app to a new run beside another zone carries run=new', (app, link) => {
  expect(stepLink({ ...PRESS, app, step: 1, os: 'ios', run: 'new' })).toBe(link);
});

test.each(['main', 'companion', 'constructor'])(
  'the early link of the app %s has the same target and parameters as the hydrated one',
  (app) => {
    const later = new URL(stepLink({ ...PRESS, app, namedOs: 'ios' }), 'https://site.example');
    const early = new URL(earlyStepLink(app, PRESS.step).replace('{app}', app), 'https://site.example');

    expect(early.pathname).toBe(later.pathname);
    expect([...early.searchParams.keys()].sort()).toEqual([...later.searchParams.keys()].sort());
  },
);
