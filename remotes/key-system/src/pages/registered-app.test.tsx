import type { AppFacts } from '@app/contracts/key-system-schemas';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { appLinks } from '../features/device/app-links.ts';
import { link, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { refused, run, neverAnswer } from '../test/run-server.ts';

const DEVICE = '?app=constructor&hwid=device-1&zone=z1';

const about: AppFacts = { name: 'Script Tool', scheme: 'tool://key', colour: 'green', advertisers: ['rinku'] };

openBrowserBeforeEach();

test('the step of a registered app shows its name, colour, number of steps and link', async () => {
  await open(`/apps/key-system-2${DEVICE}`, {
    app: 'constructor',
    about,
    run: run(2, { of: 2, series: 1 }),
    advertisers: [{ id: 'rinku', ok: true }],
  });

  expect(screen.getAllByText('Script Tool')).toHaveLength(2);
  expect(document.querySelector('main')!.closest('[data-accent]')!.getAttribute('data-accent')).toBe('green');
  expect(screen.getByRole('heading', { name: /Key step 2 of 2$/ })).toBeDefined();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  const link = screen.getByRole('link', { name: 'Complete & Get Key!' });
  expect(link.getAttribute('href')).toBe(
    '/api/apps/constructor/keysystem?hwid=device-1&advertiser=rinku&zone=z1&step=2',
  );
});

test.each([
  ['Script Tool', null],
  ['Công cụ Lua', 'foreign'],
])('the name %s has one font for all its letters', async (name, letters) => {
  await open(`/apps/key-system-1${DEVICE}`, { about: { ...about, name }, run: run(1, { of: 2, series: 1 }) });

  expect(screen.getAllByText(name).map((written) => written.getAttribute('data-letters'))).toEqual([letters, letters]);
});

test.each([
  ['', 'rinku'],
  ['&advertiser=lootlabs', 'lootlabs'],
  ['&advertiser=linkvertise', 'rinku'],
])(
  'with “%s” in the address the step starts with %s, of the advertisers that the app offers',
  async (named, advertiser) => {
    const offers = { ...about, advertisers: ['rinku', 'lootlabs'] satisfies AppFacts['advertisers'] };
    const advertisers = offers.advertisers.map((id) => ({ id, ok: true }));
    await open(`/apps/key-system-1${DEVICE}${named}`, {
      about: offers,
      run: run(1, { of: 2, series: 1 }),
      advertisers,
    });

    const link = screen.getByRole('link', { name: 'Complete' });
    expect(link.getAttribute('href')).toContain(`&advertiser=${advertiser}&`);
  },
);

test.each([
  [3, 9, 'Complete'],
  [4, 4, 'Complete & Get Key!'],
])('step %d of %d has no series of three, and the button “%s”', async (step, of, label) => {
  await open(`/apps/key-system-${step}${DEVICE}`, {
    about,
    run: run(step, { of, series: 1 }),
    advertisers: [{ id: 'rinku', ok: true }],
  });

  expect(screen.getAllByRole('list', { name: 'Steps' })).toHaveLength(1);
  expect(screen.getByRole('link', { name: label })).toBeDefined();
  expect(screen.queryByText(/halfway/i)).toBeNull();
});

test('until the state has loaded, a page shows the step alone, without controls', async () => {
  await open(`/apps/key-system-3${DEVICE}`, neverAnswer);

  expect(screen.getByRole('heading', { name: /Key step 3$/, level: 2 })).toBeDefined();
  expect(screen.queryByText('Advertiser')).toBeNull();
});

test.each(['/apps/key-system-getkey', '/key-system-getkey'])(
  'while its key loads, %s opens no app yet',
  async (path) => {
    await open(`${path}${DEVICE}`, neverAnswer);

    expect(screen.getByText('Looking up your key')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Launch' })).toBeNull();
  },
);

test('a run at a later step redirects to its page with the app in the address', async () => {
  await open(`/apps/key-system-1${DEVICE}`, {
    about,
    run: run(2, { of: 2, series: 1 }),
    advertisers: [{ id: 'rinku', ok: true }],
  });

  expect(location.pathname + location.search).toBe('/apps/key-system-2?app=constructor&hwid=device-1&zone=z1');
});

test.each(['/apps/key-system-1', '/apps/key-system-getkey', '/apps/key-system-bypass'])(
  '%s of an unknown app is a page of its own, which names the app of the link and shows no step',
  async (path) => {
    await open(`${path}${DEVICE}`, refused('KS_APP'));

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We don’t know this app');
    expect(screen.getByText('constructor')).toBeDefined();
    expect(document.body.textContent).not.toContain('Step 1');
    expect(link('See our apps')).toMatch(/^\/index(\?|$)/);
    expect(screen.getByText('Still not working? Ask the people who made the app.')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Launch' })).toBeNull();
  },
);

test('a link without an app names none', async () => {
  await open('/apps/key-system-1?hwid=device-1&zone=z1', refused('KS_APP'));

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We don’t know this app');
  expect(screen.queryByText('App in the link')).toBeNull();
});

test('an unknown app is one also without a device', async () => {
  await open('/apps/key-system-1?app=constructor', refused('KS_APP'));

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We don’t know this app');
});

test('an app with its own URL scheme is opened by it, and the site offers no download', () => {
  expect(appLinks('constructor', about)).toEqual({
    href: 'tool://key',
    getFrom: expect.stringMatching(/^\/index(\?|$)/) as string,
  });
});

test('without a device the page explains how a run of the app starts', async () => {
  const { asked } = await open('/apps/key-system-1?app=constructor', () => Response.json({ about, stepsRequired: 1 }));

  expect(asked).toEqual(['/api/keysystem/usual-run?app=constructor']);
  expect(screen.getByText('Script Tool')).toBeDefined();
  expect(screen.getByText('1 step')).toBeDefined();
});
