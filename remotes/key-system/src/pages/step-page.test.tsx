import { useToastStore } from '@app/platform';
import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { serveRecaptcha } from '../test/fake-recaptcha.ts';
import { DEVICE, link, notice, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { failToConnect, MINUTE_MS, NOW, refused, run, stateResponse } from '../test/run-server.ts';

const KEY = { active: true, expiresAt: NOW + 60 * MINUTE_MS, renewable: false, zone: 'same' } as const;

openBrowserBeforeEach();

const isDisabled = (words: string) =>
  screen.getByText(words).closest('a, button')?.getAttribute('aria-disabled') === 'true';

test('a run that failed to load can be retried', async () => {
  const { answer } = await open(`/key-system-2${DEVICE}`, failToConnect);

  expect(notice('We couldn’t load your run').textContent).toBe(
    'We couldn’t load your runCheck your connection, then try again. Your steps are saved.',
  );
  expect(notice('We couldn’t load your run').className).toContain('warning');
  answer(stateResponse({ run: run(2) }));
  expect(screen.getByText('Try again').className).toContain('wide');
  fireEvent.click(screen.getByText('Try again'));
  await advanceTime(0);
  expect(link('Complete')).toContain('step=2');
});

test('links to the app when the server rejects the device', async () => {
  await open(`/key-system-2${DEVICE}`, refused('KS_HWID', { detail: 'This device ID is malformed' }));

  expect(notice('We don’t recognise the device in this link').textContent).toContain(
    'We don’t recognise the device in this linkOpen the key system from the app again.',
  );
  expect(link('Launch')).toBe('roblox://');
  expect(screen.queryByText('Try again')).toBeNull();
});

test.each([
  ['an answer of an unexpected form', () => new Response('Bad gateway', { status: 502 })],
  ['a fault of the server', refused('server.unexpected')],
])('offers a retry after %s', async (_what, answer) => {
  await open(`/key-system-2${DEVICE}`, answer);

  expect(notice('We couldn’t load your run').textContent).toContain('That’s on us. Try again in a minute.');
  expect(isDisabled('Try again')).toBe(false);
});

test('disables the button during a limit, and requests the run again at its end', async () => {
  const { asked, answer } = await open(
    `/key-system-2${DEVICE}`,
    refused('KS_LIMIT', { retryable: true, retryAfter: '60' }),
  );

  expect(notice('Too many tries, too fast').textContent).toContain('Try again at\u00a012:01.');
  expect(isDisabled('Try again')).toBe(true);
  await advanceTime(59_000);
  expect(asked).toHaveLength(1);

  answer(failToConnect);
  await advanceTime(1000);
  expect(asked).toHaveLength(2);
  expect(isDisabled('Try again')).toBe(false);
  answer(stateResponse({ run: run(2) }));
  fireEvent.click(screen.getByText('Try again'));
  await advanceTime(0);
  expect(link('Complete')).toContain('step=2');
});

test('without a connection the page says so, answers each try, and goes on by itself once it is back', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { asked, answer } = await open(`/key-system-2${DEVICE}`, failToConnect);
  const words = notice('We couldn’t load your run');
  expect(words.textContent).toContain('No connection. This page goes on by itself when you’re back online.');

  fireEvent.click(screen.getByText('Try again'));
  expect(screen.getByText('Checking…')).toBeDefined();
  await advanceTime(0);
  expect(words.textContent).toContain('Still no answer · 12:00');
  expect(asked).toHaveLength(2);

  answer(stateResponse({ run: run(2) }));
  window.dispatchEvent(new Event('online'));
  await advanceTime(0);
  expect(link('Complete')).toContain('step=2');
  window.dispatchEvent(new Event('online'));
  await advanceTime(0);
  expect(asked).toHaveLength(3);
});

test('enables the button at the end of a limit while the server is slow', async () => {
  const { answer } = await open(`/key-system-2${DEVICE}`, refused('KS_LIMIT', { retryable: true, retryAfter: '60' }));
  answer(() => new Response(new ReadableStream()));
  await advanceTime(60_000);

  expect(isDisabled('Try again')).toBe(false);
  expect(screen.getByText('You can keep going now.')).toBeDefined();
});

test('a visitor on a timeout sees the reason and the end, and the page resumes by itself', async () => {
  const { asked, answer } = await open(`/key-system-2${DEVICE}`, {
    run: run(2),
    now: NOW + MINUTE_MS,
    cooldown: { reason: 'KS_COOLDOWN', until: NOW + 16 * MINUTE_MS },
  });
  await advanceTime(1);

  const waiting = notice('You’re on a timeout');
  expect(waiting.className).toContain('warning');
  expect(waiting.textContent).toContain('3 strikes in a day: 15-minute timeout. 5: 24 hours.');
  const held = screen.getByText('Try again in').closest('a');
  expect(held?.textContent).toContain('15:00');
  expect(held?.getAttribute('href')).toBeNull();
  expect(screen.queryByText(/in the chat/)).toBeNull();
  expect(screen.queryByText('Complete')).toBeNull();
  expect(document.querySelector<HTMLElement>('[data-offers]')?.dataset['offers']).toBe('3');

  answer(stateResponse({ run: run(2) }));
  await advanceTime(15 * MINUTE_MS);
  expect(asked).toHaveLength(2);
  expect(link('Complete')).toContain('step=2');
});

test('a blocked device sees the reason, a contact and no end, and nothing of a run', async () => {
  await open(`/key-system-1${DEVICE}`, { cooldown: { reason: 'KS_BLOCKED', until: null } });

  const blocked = notice('This device is blocked');
  expect(blocked.textContent).toContain('You can’t get keys on this device, and there’s no end date.');
  const ask = screen.getByText('Ask in the chat');
  expect(ask.getAttribute('href')).toMatch(/^https:/);
  expect([ask.getAttribute('rel'), ask.getAttribute('target')]).toEqual(['noreferrer', '_blank']);
  expect(screen.getByText('Device ID')).toBeDefined();
  expect(screen.queryByRole('timer')).toBeNull();
  expect(screen.queryByText(/^First step$|^Trailer$/)).toBeNull();
});

test('a block with an end shows the end, and then the server is asked again', async () => {
  const { asked } = await open(`/key-system-1${DEVICE}`, {
    cooldown: { reason: 'KS_BLOCKED', until: NOW + 90 * MINUTE_MS },
  });

  expect(notice('This device is blocked').textContent).toContain('You can’t get keys on it until today at\u00a013:30.');
  expect(screen.getByRole('timer')).toBeDefined();
  expect(screen.getAllByText('Ask in the chat')).toHaveLength(1);
  await advanceTime(90 * MINUTE_MS);
  expect(asked).toHaveLength(2);
});

test('a run of another link of the app can be kept, or a new one started beside it', async () => {
  await open(`/key-system-2${DEVICE}&advertiser=lootlabs`, { run: run(2, { zone: 'other' }) });

  expect(notice('You started this run with another app link').textContent).toContain(
    'Keep going and the key goes to your old link. Start again and it goes to the one you just opened.',
  );
  expect(link('Keep going')).toBe(
    '/api/keysystemv2?hwid=device-1&advertiser=lootlabs&os=android&zone=z1&run=keep&step=2',
  );
  expect(screen.getByText('Start again').className).toContain('quiet');
  expect(screen.queryByText('Waiting for the advertiser.')).toBeNull();

  fireEvent.click(screen.getByText('Start again'));
  await advanceTime(100);
  expect(location.pathname + location.search).toBe('/key-system-1?run=new&hwid=device-1&zone=z1');
  expect(screen.getByRole('heading', { name: 'Key step 1 of 6' })).toBeDefined();
  expect(screen.getByText('Captcha of the provider')).toBeDefined();
});

test('during a timeout nothing is asked about a run of another link', async () => {
  await open(`/key-system-2${DEVICE}`, {
    run: run(2, { zone: 'other' }),
    cooldown: { reason: 'KS_COOLDOWN', until: NOW + 15 * MINUTE_MS },
  });

  expect(screen.queryByText('You started this run with another app link')).toBeNull();
});

test('the companion continues a run of another link at its own endpoint', async () => {
  await open(`/rosaverx/key-system-2${DEVICE}&os=ios&e=KS_UNFINISHED`, {
    app: 'companion',
    run: run(2, { of: 3, zone: 'other', waiting: true }),
  });

  expect(link('Keep going')).toBe('/api/saverobux/keysystem?hwid=device-1&zone=z1&run=keep&os=ios&step=2');
  expect(link('Start again')).toBe('/rosaverx/key-system-1?run=new&hwid=device-1&zone=z1&os=ios');
  expect(notice('Your task isn’t finished')).toBeDefined();
  expect(screen.getByText('Waiting for the advertiser.')).toBeDefined();
});

test('a device without a zone gets a link that keeps its run', async () => {
  await open('/key-system-2?hwid=device-1', { run: run(2, { zone: 'other' }) });

  expect(link('Keep going')).toBe('/api/keysystemv2?hwid=device-1&advertiser=linkvertise&os=android&run=keep&step=2');
});

test('adds run=new to the link of a run beside another one', async () => {
  const captcha = serveRecaptcha();
  const { answer } = await open(`/key-system-1${DEVICE}&run=new`, { run: run(3, { zone: 'other' }) });
  await advanceTime(100);
  answer(() => new Response('true'));
  captcha.last.options.callback('token');
  await advanceTime(0);

  expect(link('Complete')).toContain('&run=new&step=1');
});

test.each([
  [2, { run: run(4) }, `/key-system-4${DEVICE}`, ['Your run goes on at step 4.']],
  [5, { run: run(4) }, `/key-system-4${DEVICE}&e=KS_STEP`, []],
  // The page of a run for another link says so itself.
  [2, { run: run(4, { zone: 'other' }) }, `/key-system-4${DEVICE}`, []],
  [2, { run: run(4), cooldown: { reason: 'KS_COOLDOWN', until: NOW + MINUTE_MS } }, `/key-system-4${DEVICE}`, []],
  // Who has not begun is at no step.
  [5, {}, `/key-system-1${DEVICE}`, []],
  [2, { key: KEY }, `/key-system-getkey${DEVICE}`, ['Your key is ready.']],
] as const)(
  'a visitor who opens step %d with %j is redirected to %s, with the toasts %j',
  async (from, known, address, toasts) => {
    await open(`/key-system-${from}${DEVICE}`, known);

    expect(location.pathname + location.search).toBe(address);
    expect(useToastStore.getState().waiting).toEqual(toasts);
    expect(screen.queryByText('You’re at this step') !== null).toBe(address.includes('KS_STEP'));
  },
);

test('a new run beside a run of another link stays at its first step', async () => {
  const history = globalThis.history.length;
  await open(`/key-system-3${DEVICE}&run=new`, { run: run(4, { zone: 'other' }) });

  expect(location.pathname).toBe('/key-system-1');
  expect(globalThis.history.length).toBe(history);
});
