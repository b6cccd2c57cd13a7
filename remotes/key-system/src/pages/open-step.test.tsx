import type { AdvertiserId } from '@app/contracts/advertisers';
import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { serveRecaptcha } from '../test/fake-recaptcha.ts';
import { DEVICE, link, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { MINUTE_MS, NOW, run, neverAnswer, state, stateResponse } from '../test/run-server.ts';

openBrowserBeforeEach();

const EXPIRED_KEY = { active: false, expiresAt: NOW - 5 * MINUTE_MS, renewable: false, zone: 'same' } as const;

const completeLink = () => screen.getByRole('link', { name: 'Complete' });

function advertisers() {
  return [...screen.getByText('Pick one, finish it').closest('fieldset')!.querySelectorAll('label')].map((label) => {
    const { checked, disabled } = label.querySelector('input')!;
    return `${label.textContent}${checked ? ' *' : ''}${disabled ? ' -' : ''}`;
  });
}

function health(changes: Partial<Record<AdvertiserId, boolean>>) {
  return state().advertisers.map(({ id }) => ({ id, ok: changes[id] ?? true }));
}

test('an open step asks for a visit to the advertiser, and links there', async () => {
  await open(`/key-system-2${DEVICE}`, { run: run(2) });

  expect(link('Complete')).toBe('/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=android&zone=z1&step=2');
  expect(completeLink().getAttribute('aria-disabled')).toBe('false');
  expect(completeLink().className).toContain('wide');
  expect(screen.queryByText(/captcha/i)).toBeNull();
});

test.each([
  ['/key-system-2', '', 'keysystemv2?hwid=device-1&advertiser=linkvertise&os=android&zone=z1&step=2'],
  ['/key-system-3', '&advertiser=workink', 'keysystemv2?hwid=device-1&advertiser=workink&os=android&zone=z1&step=3'],
  [
    '/key-system-4',
    '&advertiser=lootlabs',
    'keysystemv2?hwid=device-1&advertiser=linkvertise&os=android&zone=z1&step=4',
  ],
  ['/rosaverx/key-system-2', '', 'saverobux/keysystem?hwid=device-1&zone=z1&step=2'],
  [
    '/apps/key-system-2',
    '&app=tool&advertiser=lootlabs',
    'apps/tool/keysystem?hwid=device-1&advertiser=lootlabs&zone=z1&step=2',
  ],
])('%s with “%s” can be completed before the state of the run has loaded', async (path, more, address) => {
  await open(`${path}${DEVICE}${more}`, neverAnswer);

  const button = screen.getByRole('link', { name: /^Complete/ });
  expect(button.getAttribute('href')).toBe(`/api/${address}`);
  expect(button.getAttribute('aria-disabled')).toBe('false');
  expect(button.className).toContain('primary');
});

test.each([
  ['/key-system-1', ''],
  ['/key-system-2', '&wait=1'],
  ['/key-system-2', `&e=KS_LIMIT&until=${new Date(NOW + MINUTE_MS).toISOString()}`],
])('%s with “%s” cannot be completed before its condition has passed', async (path, more) => {
  await open(`${path}${DEVICE}${more}`, neverAnswer);

  const button = screen.getByText(/^(Complete|Try again in)$/).closest('a');
  expect(button?.getAttribute('href')).toBeNull();
  expect(button?.getAttribute('aria-disabled')).toBe('true');
});

test.each([
  [2, 'Complete'],
  [3, 'Complete & Get Key!'],
  [4, 'Complete'],
  [5, 'Complete & Get Key!'],
])('the button of step %d of five is labelled “%s”', async (step, words) => {
  await open(`/key-system-${step}${DEVICE}`, { run: run(step, { of: 5 }) });

  expect(link(words)).toContain(`&step=${step}`);
  expect(screen.getByRole('link', { name: step === 3 ? `${words} then 2 more` : words })).toBeDefined();
});

test('choosing an advertiser changes the link and the address', async () => {
  await open(`/key-system-2${DEVICE}&advertiser=unknown`, { run: run(2), advertisers: health({ lootlabs: false }) });
  expect(advertisers()).toEqual(['Linkvertise *', 'Work.ink', 'LootLabsdown right now -']);

  const inputs = [...document.querySelectorAll('input')];
  expect(inputs.map(({ name, type }) => `${type} ${name}`)).toEqual(Array(3).fill('radio advertiser'));
  expect(inputs.map((input) => input.closest('label')?.dataset['ok'])).toEqual(['true', 'true', 'false']);

  fireEvent.click(screen.getByText('Work.ink'));
  await advanceTime(0);

  expect(advertisers()).toContain('Work.ink *');
  expect(link('Complete')).toContain('advertiser=workink');
  expect(location.search).toBe(`${DEVICE}&advertiser=workink`);
});

test('each advertiser has its usual minutes and the share that finished today, as far as they are known', async () => {
  const [linkvertise, rinku, lootlabs] = health({ lootlabs: false });
  const known = [
    { ...linkvertise!, usualMs: MINUTE_MS, finishedPercent: 96 },
    rinku!,
    { ...lootlabs!, usualMs: 2 * MINUTE_MS, finishedPercent: 88 },
  ];
  await open(`/key-system-1${DEVICE}`, { advertisers: known });

  expect(advertisers()).toEqual(['Linkvertise1 min96% finish *', 'Rinku', 'LootLabsdown right now -']);
});

test.each([
  [1, 'rinku', 'Rinku', 'rinku'],
  [2, 'workink', 'Work.ink', 'workink'],
  [3, 'LootLabs', 'LootLabs', 'lootlabs'],
  [5, 'workink', 'Linkvertise', 'linkvertise'],
])('step %d with advertiser=%s starts with %s, and its button links there', async (step, word, name, advertiser) => {
  await open(`/key-system-${step}${DEVICE}&advertiser=${word}`, { run: run(step) });

  expect(advertisers()).toContain(`${name} *`);
  expect(screen.getByRole('link', { name: /^Complete/ }).getAttribute('href')).toContain(`advertiser=${advertiser}&`);
});

test('until the server has answered, no advertiser is shown as healthy, and the step is disabled', async () => {
  await open(`/key-system-1${DEVICE}`, neverAnswer);

  expect(advertisers()).toEqual(['Linkvertise *', 'Rinku', 'LootLabs']);
  expect(screen.getByText('Looking up your run').getAttribute('role')).toBe('status');
  expect(screen.getByText('Loading the captcha')).toBeDefined();
  expect(completeLink().getAttribute('href')).toBeNull();
  expect(completeLink().getAttribute('aria-disabled')).toBe('true');
});

test('when no advertiser is available, a visitor can retry, and the page polls', async () => {
  const down = health({ linkvertise: false, lootlabs: false });
  const { asked, answer } = await open(`/key-system-4${DEVICE}`, { run: run(4), advertisers: down });

  expect(screen.getByText('Every advertiser’s down right now. This page keeps checking.').getAttribute('role')).toBe(
    'status',
  );
  expect(screen.queryByText('Complete')).toBeNull();
  fireEvent.click(screen.getByText('Check again'));
  await advanceTime(0);
  expect(asked).toHaveLength(2);
  expect(screen.getByText('Check again').className).toContain('quiet');
  expect(screen.getByText('Check again').className).toContain('wide');

  await advanceTime(14_999);
  expect(asked).toHaveLength(2);
  answer(stateResponse({ run: run(4) }));
  await advanceTime(1);
  expect(asked).toHaveLength(3);
  expect(link('Complete')).toContain('advertiser=linkvertise');

  await advanceTime(60_000);
  expect(asked).toHaveLength(3);
});

test('the companion has one advertiser and no choice', async () => {
  await open(`/rosaverx/key-system-2${DEVICE}`, { app: 'companion', run: run(2, { of: 3 }) });

  const only = screen.getByText('Linkvertise').closest<HTMLElement>('[data-ok]');
  expect(only?.textContent).toBe('Linkvertise');
  expect(only?.dataset['ok']).toBe('true');
  expect(document.querySelector('input')).toBeNull();
  expect(link('Complete')).toBe('/api/saverobux/keysystem?hwid=device-1&zone=z1&step=2');
  expect(screen.getByText('Finish the Linkvertise page and you’ll land back here.')).toBeDefined();
  expect(document.querySelector<HTMLElement>('[data-offers]')?.dataset).toMatchObject({
    offers: '1',
    hasCaptcha: 'false',
  });
});

test('a new run starts with the captcha', async () => {
  const captcha = serveRecaptcha();
  const { answer } = await open(`/key-system-1${DEVICE}`, {});
  expect(screen.getByRole('link', { name: 'Checking…' }).getAttribute('href')).toBeNull();
  await advanceTime(100);
  // The provider's captcha waits for its box to be ticked now.
  expect(completeLink().getAttribute('aria-disabled')).toBe('true');

  expect(screen.getByText('Quick bot check, then the Linkvertise page. You’ll land back here.')).toBeDefined();
  expect(link('Complete')).toBeNull();

  answer(() => new Response('true'));
  captcha.last.options.callback('token');
  await advanceTime(0);
  expect(screen.getByText('Finish the Linkvertise page and you’ll land back here.')).toBeDefined();
  expect(link('Complete')).toBe('/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=android&zone=z1&step=1');
});

test('an open run needs no captcha', async () => {
  await open(`/key-system-1${DEVICE}`, { run: run(1) });

  const passed = screen.getByText('Bot check passed.');
  expect(passed.querySelector('svg path')?.getAttribute('d')).toBe('m5 12.5 4.6 4.6L19 7.5');
  expect(link('Complete')).toContain('step=1');
  expect(document.querySelector<HTMLElement>('[data-offers]')?.dataset).toMatchObject({
    offers: '3',
    hasCaptcha: 'true',
  });
});

test.each([
  ['/key-system-1', '6 steps', '/neo#downloads'],
  ['/key-system-5?zone=z1', '6 steps', '/neo?zone=z1#downloads'],
  ['/rosaverx/key-system-1', '3 steps', '/rosaverx'],
  ['/gate', '6 steps', '/neo#downloads'],
  ['/key-system-getkey', '6 steps', '/neo#downloads'],
  ['/rosaverx/key-system-getkey', '3 steps', '/rosaverx'],
])('without a device %s shows no unusable controls, and leads to the download', async (path, steps, download) => {
  const { asked } = await open(path, () => Response.json({ usualRunMs: 8.4 * MINUTE_MS }));
  await advanceTime(0);

  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Start in the app');
  expect(screen.getByText('Tap “Get Key” in the app. It opens this page with your device linked.')).toBeDefined();
  expect(screen.getByText('Takes about 8 min')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map((item) => (item.querySelector('p') ?? item).textContent)).toEqual([
    'Free',
    steps,
    'Lasts 24 h',
    'Takes about 8 min',
    'Open the app',
    'Tap “Get Key”',
    'Do the steps, get your key',
  ]);
  expect(screen.getByText('I don’t have the app').getAttribute('href')).toBe(download);
  expect(screen.getByText('Device ID').parentElement?.textContent).toMatch(/^Device ID not linked yet /);
  expect(screen.queryAllByRole('radio')).toEqual([]);
  expect(screen.queryByText(/captcha/i)).toBeNull();
  expect(asked).toEqual([`/api/keysystem/usual-run?app=${path.startsWith('/rosaverx') ? 'companion' : 'main'}`]);
});

test('a link that was rejected for its device says so, and its button leads to the app', async () => {
  await open('/key-system-1?e=KS_HWID', neverAnswer);

  expect(screen.getByText('We don’t recognise the device in this link')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Get Key' }));
  await advanceTime(0);
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Start in the app');
  expect(screen.getByText(/^Complete the key system via the “Get Key” button inside the app/)).toBeDefined();
});

test('does not mention an expired key during a run', async () => {
  await open(`/key-system-2${DEVICE}`, { run: run(2), key: EXPIRED_KEY });

  expect(screen.queryByText(/Your key expired/)).toBeNull();
});

test('says that a run moves to the zone of the address', async () => {
  await open(`/key-system-2${DEVICE}`, { run: run(2, { zone: 'moves' }) });

  expect(screen.getByText(/^Your run moves/).parentElement?.textContent).toMatch(
    /^Your run moves to the link you just opened./,
  );
});
