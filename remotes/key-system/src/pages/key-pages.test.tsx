import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '../routes.ts';
import { beginPage } from './begin.ts';
import { beginInApp } from './begin-in-app.ts';
import { DEVICE, link, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { MINUTE_MS, NOW, refused, run, neverAnswer, stateResponse } from '../test/run-server.ts';

const HOUR_MS = 60 * MINUTE_MS;
const KEY = { active: true, expiresAt: NOW + 20 * HOUR_MS, renewable: false, zone: 'same' } as const;

// Its code comes when it is first shown.
beforeAll(() => Promise.all([beginPage.preload(), beginInApp.preload()]));
openBrowserBeforeEach();

const keyDialog = () => screen.queryByRole('dialog', { name: 'Key System completed!' });

const APPS = [
  { app: 'main', folder: '', name: 'Arceus X', other: 'RosaverX', steps: 6 },
  { app: 'companion', folder: '/rosaverx', name: 'RosaverX', other: 'Arceus X', steps: 3 },
] as const;

test.each(
  APPS.flatMap(({ steps, ...app }) => [
    ...Array.from({ length: steps }, (_, before) => ({
      ...app,
      page: String(before + 1),
      shown: `Key step ${before + 1} of ${steps}`,
      known: { stepsRequired: steps, run: run(before + 1, { of: steps }) },
    })),
    { ...app, page: 'bypass', shown: 'Bypass detected!', known: {} },
    { ...app, page: 'getkey', shown: 'Key System completed!', known: { key: KEY } },
  ]),
)('the page $page of $name names its app and no other', async ({ app, folder, page, ...expected }) => {
  await open(`${folder}/key-system-${page}${DEVICE}`, { app, ...expected.known });
  await advanceTime(0);

  expect(document.body.textContent).toContain(expected.shown);
  expect(screen.getAllByText(expected.name).length).toBeGreaterThan(0);
  expect(document.body.textContent).not.toContain(expected.other);
});

const NO_HWID = 'We don’t recognise the device in this link';
const NO_ZONE = 'Part of this link is missing';

test.each([
  ['/key-system-1?hwid=short&zone=z', NO_HWID],
  ['/key-system-1?hwid=a%20b%20c%20d&zone=z', NO_HWID],
  ['/key-system-1?hwid=device-1&hwid=device-2&zone=z', NO_HWID],
  ['/rosaverx/key-system-1?hwid=a%20b', NO_HWID],
  ['/key-system-2?hwid=device-1&zone=a%20b', NO_ZONE],
  ['/key-system-2?hwid=device-1&zone=z&zone=y', NO_ZONE],
  ['/gate?hwid=device-1&hwid=device-2', NO_HWID],
  ['/key-system-getkey?hwid=short&zone=z', NO_HWID],
  ['/key-system-getkey?hwid=device-1&zone=a%20b', NO_ZONE],
])('%s is a broken link: it leads to the app, says why, and requests no state', async (address, why) => {
  const { asked } = await open(address, neverAnswer);

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Start in the app');
  expect(screen.getByText(why)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Get Key' })).toBeDefined();
  expect(asked.filter((call) => call.startsWith('/api/keysystem/state'))).toEqual([]);
});

test.each(['/key-system-1', '/key-system-2', '/rosaverx/key-system-1'])(
  'a device without a zone starts in the app on %s, unless this browser has started its run',
  async (path) => {
    await open(`${path}?hwid=device-1`, { key: { ...KEY, active: false } });

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Start in the app');
  },
);

test('a device without a zone is led to its valid key, and not back into the app', async () => {
  await open('/key-system-1?hwid=device-1', { key: KEY });
  await advanceTime(0);

  expect(window.location.pathname).toBe('/key-system-getkey');
});

test.each([
  ['/key-system-1', 6],
  ['/rosaverx/key-system-1', 3],
  ['/key-system-bypass', 6],
  ['/rosaverx/key-system-bypass', 3],
])('without a device %s draws the way back to the second of %d steps', async (path, of) => {
  await open(path, neverAnswer);

  expect(screen.getByText('Start in the app')).toBeDefined();
  expect(document.body.textContent).toContain(`Step 2 of ${of}`);
});

test.each([
  ['/key-system-1', 'KS_HWID', NO_HWID],
  ['/key-system-getkey', 'KS_ZONE', NO_ZONE],
  ['/gate', 'KS_HWID', NO_HWID],
] as const)('%s says why the server rejects its link, and leads to the app', async (path, code, words) => {
  await open(`${path}${DEVICE}`, refused(code));

  expect(screen.getByText(words)).toBeDefined();
  expect(link('Launch')).toBe('roblox://');
  expect(screen.queryByText('Try again')).toBeNull();
});

test('the key page can be retried after a server error', async () => {
  const { answer } = await open(`/key-system-getkey${DEVICE}`, refused('server.unexpected'));
  expect(screen.getByText('We couldn’t look up your key. That’s on us.')).toBeDefined();

  answer(stateResponse({ key: KEY }));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await advanceTime(0);
  expect(screen.queryByText('Try again')).toBeNull();
  expect(link('Launch')).toBe('roblox://');
});

test('an invalid answer, such as that of a proxy, counts as a failed connection', async () => {
  await open(`/key-system-getkey${DEVICE}`, () => Response.json({}));

  expect(location.pathname).toBe('/key-system-getkey');
  expect(screen.getByText('We couldn’t look up your key. Check your connection.')).toBeDefined();
});

test('the rate-limited key page says until when, and resumes by itself', async () => {
  const { asked, answer } = await open(
    `/key-system-getkey${DEVICE}`,
    refused('KS_LIMIT', { retryable: true, retryAfter: '60' }),
  );

  expect(screen.getByText(/^Try again at 12:01\./)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try again' }).getAttribute('aria-disabled')).toBe('true');
  answer(stateResponse({ key: KEY }));
  await advanceTime(59_999);
  expect(asked).toHaveLength(1);
  await advanceTime(1);
  expect(screen.queryByText('Try again')).toBeNull();
  expect(keyDialog()).not.toBeNull();
});

test('an expired key leads from its page to the first step, which says when the key expired', async () => {
  await open(`/key-system-getkey${DEVICE}`, { key: { ...KEY, active: false, expiresAt: NOW - MINUTE_MS } });

  expect(location.pathname + location.search).toBe(`/key-system-1${DEVICE}`);
  const ended = screen.getByText('Your key expired at 11:59.');
  expect([ended.tagName, ended.parentElement?.getAttribute('role')]).toEqual(['STRONG', 'status']);
  expect(ended.parentElement?.textContent).toBe('Your key expired at\u00a011:59. Do the steps again to get a new one.');
  expect(screen.getByRole('region', { name: 'Your run' }).textContent).toContain('expired at\u00a011:59');
});

test('a key that expired on another day shows the date', async () => {
  await open(`/key-system-1${DEVICE}`, { key: { ...KEY, active: false, expiresAt: NOW - 50 * HOUR_MS } });

  expect(screen.getByText('Your key expired on 8 March at 10:00.')).toBeDefined();
});

test('a key that expires while its page is open says so', async () => {
  const { answer } = await open(`/key-system-getkey${DEVICE}`, { key: { ...KEY, expiresAt: NOW + MINUTE_MS } });
  expect(keyDialog()).not.toBeNull();

  answer(stateResponse({ key: { ...KEY, active: false, expiresAt: NOW + MINUTE_MS } }));
  await advanceTime(MINUTE_MS);
  expect(keyDialog()).toBeNull();
  expect(screen.getByText('Your key expired at 12:01.')).toBeDefined();
});

const CALLS = Object.entries(routes).flatMap(([path, line]) => ('firstCall' in line ? [[path, line.firstCall]] : []));

test.each(CALLS)(
  'the first request of %s is the one that its manifest entry preloads',
  async (path = '', call = '') => {
    const { asked } = await open(`${path}?hwid=device-1&zone=z1&app=tool`, neverAnswer);

    expect(asked).toEqual([call.replace('{hwid}', 'device-1').replace('{zone?}', 'z1').replace('{app}', 'tool')]);
  },
);
