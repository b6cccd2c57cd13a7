import type { AppFacts } from '@app/contracts/key-system-schemas';
import { closeBrowser, openBrowser, visit } from '@app/testing/visit';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appLinks } from '../features/device/app-links.ts';
import remote from '../remote.ts';
import { RECAPTCHA, serveRecaptcha } from '../test/fake-recaptcha.ts';
import { NOW, refused, run, silence, startServer, told } from '../test/run-server.ts';

const DEVICE = '?app=constructor&hwid=device-1&zone=z1';

const about: AppFacts = { name: 'Script Tool', scheme: 'tool://key', colour: 'green', advertisers: ['rinku'] };

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
afterEach(closeBrowser);

test('the step of a registered app has its name, its colour, its steps, and the link that it begins with', async () => {
  startServer(
    told({ app: 'constructor', about, run: run(2, { of: 2, series: 1 }), advertisers: [{ id: 'rinku', ok: true }] }),
  );
  await visit(remote, `/apps/key-system-2${DEVICE}`);

  expect(screen.getByText('Script Tool')).toBeDefined();
  expect(document.querySelector('main')!.closest('[data-accent]')!.getAttribute('data-accent')).toBe('green');
  expect(screen.getByRole('heading', { name: 'Step 2 of 2' })).toBeDefined();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  const link = screen.getByRole('link', { name: 'Complete & Get Key!' });
  expect(link.getAttribute('href')).toBe(
    '/api/apps/constructor/keysystem?hwid=device-1&advertiser=rinku&zone=z1&step=2',
  );
});

test.each([
  ['Script Tool', null],
  ['Công cụ Lua', 'foreign'],
])('the name %s is drawn in one font', async (name, letters) => {
  startServer(told({ about: { ...about, name }, run: run(1, { of: 2, series: 1 }) }));
  await visit(remote, `/apps/key-system-1${DEVICE}`);

  expect(screen.getByText(name).getAttribute('data-letters')).toBe(letters);
});

test.each([
  ['', 'rinku'],
  ['&advertiser=lootlabs', 'lootlabs'],
  ['&advertiser=linkvertise', 'rinku'],
])('with “%s” in the address the step begins with %s, of those that the app offers', async (named, advertiser) => {
  const offers = { ...about, advertisers: ['rinku', 'lootlabs'] satisfies AppFacts['advertisers'] };
  const advertisers = offers.advertisers.map((id) => ({ id, ok: true }));
  startServer(told({ about: offers, run: run(1, { of: 2, series: 1 }), advertisers }));
  await visit(remote, `/apps/key-system-1${DEVICE}${named}`);

  const link = screen.getByRole('link', { name: 'Complete' });
  expect(link.getAttribute('href')).toContain(`&advertiser=${advertiser}&`);
});

test.each([
  [3, 9, 'Complete'],
  [4, 4, 'Complete & Get Key!'],
])('step %d of %d has no series of three, and the button “%s”', async (step, of, label) => {
  startServer(told({ about, run: run(step, { of, series: 1 }), advertisers: [{ id: 'rinku', ok: true }] }));
  await visit(remote, `/apps/key-system-${step}${DEVICE}`);

  expect(screen.getAllByRole('list', { name: 'Steps' })).toHaveLength(1);
  expect(screen.getByRole('link', { name: label })).toBeDefined();
  expect(screen.queryByText(/halfway/i)).toBeNull();
});

test('until the state is here, a page says the step alone, and offers nothing', async () => {
  startServer(silence);
  await visit(remote, `/apps/key-system-3${DEVICE}`);

  expect(screen.getByRole('heading', { name: 'Step 3', level: 2 })).toBeDefined();
  expect(screen.queryByText('Advertiser')).toBeNull();
});

test('until its key is here, our own app can be opened, and a registered one, whose address is unknown, cannot', async () => {
  startServer(silence);
  await visit(remote, `/apps/key-system-getkey${DEVICE}`);
  expect(screen.getByText('Looking up your key')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Launch' })).toBeNull();
  cleanup();

  await visit(remote, '/key-system-getkey?hwid=device-1&zone=z1');
  expect(screen.getByRole('link', { name: 'Launch' })).toBeDefined();
});

test('a run that has come further leads to its page, which names the app, too', async () => {
  startServer(told({ about, run: run(2, { of: 2, series: 1 }), advertisers: [{ id: 'rinku', ok: true }] }));
  await visit(remote, `/apps/key-system-1${DEVICE}`);

  expect(location.pathname + location.search).toBe('/apps/key-system-2?app=constructor&hwid=device-1&zone=z1');
});

test.each(['/apps/key-system-1', '/apps/key-system-getkey'])('%s of an unknown app says so', async (path) => {
  startServer(refused('KS_APP'));
  await visit(remote, `${path}${DEVICE}`);

  expect(screen.getByText('We don’t know this app')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Open the app' })).toBeNull();
});

test('an address of its own opens the app, and the site offers no download of it', () => {
  expect(appLinks('constructor', about)).toEqual({
    href: 'tool://key',
    getFrom: expect.stringMatching(/^\/index(\?|$)/) as string,
  });
});

test('without a device the page tells how a run of the app begins', async () => {
  const { asked } = startServer(() => Response.json({ about, stepsRequired: 1 }));
  await visit(remote, '/apps/key-system-1?app=constructor');

  expect(asked).toEqual(['/api/keysystem/usual-run?app=constructor']);
  expect(screen.getByText('Script Tool')).toBeDefined();
  expect(screen.getByText('1 step')).toBeDefined();
});
