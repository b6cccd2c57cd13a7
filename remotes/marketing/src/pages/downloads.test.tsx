import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openPage } from '../test/page.ts';

const BUILD = { available: true, version: '1', bytes: 1, sha256: 'a'.repeat(64) };
const EVERY_V5 = { v5: { android: BUILD, android_vng: BUILD, ios: BUILD } };
const LOCALISATION_WARNING = /may permanently change your account localisation/;
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
const IOS = '/v5?hwid=device-1&zone=z#downloads';

const downloads = () => document.querySelector<HTMLElement>('#downloads')!;
const order = () => [...downloads().querySelectorAll('li h3')].map(({ textContent }) => textContent);
const card = (name: string) => within(downloads()).getByRole('heading', { name }).closest('li')!;

/** Opens a page; the server has these builds and these content files. */
async function open(
  address: string,
  builds: unknown = {},
  files: Record<string, () => Response | Promise<Response>> = {},
) {
  const content = Object.entries(files).map(([file, answer]) => [`/content/${file}`, answer] as const);
  await openPage(address, { '/api/downloads': () => Response.json(builds), ...Object.fromEntries(content) });
  await advanceTime(1000);
}

test.each([
  ['a file of V5', ['v5', 'neo'], 'For iPhone and iPad.', ['Download for iOS', IOS], 1],
  [
    'NEO alone',
    ['neo'],
    'No V5 for iOS yet, but NEO runs on it.',
    ['Get NEO', '/neo?hwid=device-1&zone=z#downloads'],
    0,
  ],
  ['nothing', [], 'It’ll show up here.', [], 0],
])(
  'for an iPhone there is %s: the card says so, and has one button to it',
  async (_there, apps, says, link, updated) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(IPHONE);
    await open('/v5?hwid=device-1&zone=z', Object.fromEntries(apps.map((app) => [app, { ios: BUILD }])));

    expect(order()).toEqual(['iOS', 'Android', 'Vietnam']);
    const ios = within(card('iOS'));
    expect(ios.getByText(says)).toBeDefined();
    expect(ios.queryAllByText('Updated')).toHaveLength(updated);
    expect(ios.queryAllByRole('link').flatMap((one) => [one.textContent, one.getAttribute('href')])).toEqual(link);
  },
);

test('the button of iOS, which leads to /v5, downloads the file', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  await open('/index', EVERY_V5);

  fireEvent.click(within(card('iOS')).getByRole('link'));
  await advanceTime(1);
  expect(assign).toHaveBeenCalledWith('/download/v5/ios');
});

test('on /v5 itself that button downloads the file without moving the page', async () => {
  vi.spyOn(window.location, 'assign').mockReturnValue();
  await open('/v5', EVERY_V5);

  expect(fireEvent.click(within(card('iOS')).getByRole('link'))).toBe(false);
  expect(window.location.hash).toBe('');
  expect(within(card('iOS')).getByText('For iPhone and iPad. Open this page there.')).toBeDefined();
});

test('without a file of V3 its card has no checksum, not even the label', async () => {
  await open('/arceusxv3');
  expect(within(downloads()).getByRole('button', { name: 'Not available yet' })).toBeDefined();
  expect(within(downloads()).queryByText('SHA-256')).toBeNull();
});

test.each(['/index', '/v5', '/neo'])('%s warns with os=android_vng', async (path) => {
  await open(`${path}?os=android_vng`);
  expect(within(downloads()).getByText(LOCALISATION_WARNING)).toBeDefined();
  expect(within(downloads()).getByText('For Vietnam residents only')).toBeDefined();
});

test.each(
  ['/index', '/v5', '/neo'].flatMap((path) => ['android', 'ios', 'windows', 'amiga'].map((os) => [path, os] as const)),
)('%s does not warn with os=%s', async (path, os) => {
  await open(`${path}?os=${os}`);

  expect(downloads().querySelectorAll('li')).toHaveLength(3);
  expect(screen.queryByText(LOCALISATION_WARNING)).toBeNull();
  expect(screen.queryByText('For Vietnam residents only')).toBeNull();
});

test.each([
  ['android', ['Android', 'Vietnam', 'iOS']],
  ['android_vng', ['Vietnam', 'Android', 'iOS']],
  ['IOS', ['iOS', 'Android', 'Vietnam']],
  ['windows', ['Android', 'Vietnam', 'iOS']],
])('with os=%s the build for the visitor’s own system comes first', async (os, builds) => {
  await open(`/neo?os=${os}`);

  expect(order()).toEqual(builds);
});

test('a status text with “updat” shows Updating without a version, and any other text is the version', async () => {
  await open('/v5', EVERY_V5, {
    'v5-android.txt': () => new Response('We are UPDATING it\n'),
    'v5-ios.txt': () => new Response(' 2.700.1 \n'),
    'v5-vng.txt': () => new Response('up to date'),
  });

  expect(within(card('Android')).getByText('Updating')).toBeDefined();
  expect(within(card('Android')).getByText('Best to wait for the update.')).toBeDefined();
  expect(card('Android').textContent).not.toContain('UPDATING it');
  expect(within(card('iOS')).getByText('Updated')).toBeDefined();
  expect(within(card('iOS')).getByText('2.700.1')).toBeDefined();
  expect(within(card('Vietnam')).getByText('up to date')).toBeDefined();
});

test('without status texts the defaults are shown', async () => {
  const said = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')];
  await open('/v5', EVERY_V5, {
    'v5-android.txt': () => Promise.reject(new TypeError('Failed to fetch')),
    'v5-vng.txt': () => new Response(null, { status: 204 }),
    'v5-ios.txt': () => new Response('', { status: 404 }),
  });

  for (const name of ['Android', 'Vietnam', 'iOS']) expect(within(card(name)).getByText('Updated')).toBeDefined();
  for (const way of said) expect(way).not.toHaveBeenCalled();
});

test.each(['/neo', '/arceusxv3'])('the facts of the app of %s start with the developer', async (path) => {
  await open(path);

  const terms = screen.getAllByRole('term').filter(({ textContent }) => textContent === 'Developed by');
  expect(terms).toHaveLength(1);
  expect(terms[0]?.parentElement?.querySelector('dd')?.textContent).toBe('Arceus Team');
});

test('the build for Vietnam is not loaded before the visitor confirms', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockReturnValue();
  await open('/v5', EVERY_V5);

  expect(fireEvent.click(within(card('Vietnam')).getByRole('link'))).toBe(false);
  await expect.poll(() => screen.queryByRole('alertdialog')).not.toBeNull();
  expect(assign).not.toHaveBeenCalled();
});
