import { advanceTime } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEVICE, open, openBrowserBeforeEach } from '../test/open-page.ts';
import { MINUTE_MS, NOW, run, neverAnswer, stateResponse } from '../test/run-server.ts';

const KEY = { active: true, expiresAt: NOW + 61 * MINUTE_MS, renewable: false, zone: 'same' } as const;

openBrowserBeforeEach();

/** What is said beside a label of the facts. */
const fact = (label: string) =>
  screen.getAllByText(label).find(({ tagName }) => tagName === 'DT')?.nextElementSibling?.textContent;

test('the facts show the remaining hours of a key, by the server’s clock', async () => {
  await open(`/key-system-2${DEVICE}&os=windows`, { run: run(2), key: KEY, now: NOW + MINUTE_MS });
  await advanceTime(1);

  expect(screen.getByLabelText('Your run').tagName).toBe('SECTION');
  expect(fact('Your key')).toMatch(/01:00:00 left$/);
  expect(document.querySelector('[data-run-strip]')?.textContent).toContain('Saved for 89 min');
  expect(fact('System')).toBe('Windows');
  expect(screen.getByText('device-1')).toBeDefined();
});

test.each([
  ['nothing while the server is silent', neverAnswer, '–'],
  ['that there is none', stateResponse(), 'none yet'],
  ['which key ended', stateResponse({ key: { ...KEY, active: false, expiresAt: NOW } }), 'expired at\u00a012:00'],
  [
    'which key ended, by the clock of this device',
    stateResponse({ now: NOW + 10 * MINUTE_MS, key: { ...KEY, active: false, expiresAt: NOW + 5 * MINUTE_MS } }),
    'expired at\u00a011:55',
  ],
  ['that a key is for another link', stateResponse({ key: { ...KEY, zone: 'other' } }), 'works for another app link'],
] as const)('the facts say %s', async (_what, answer, ofKey) => {
  await open(`/key-system-1${DEVICE}`, answer);

  expect(fact('Your key')).toBe(ofKey);
});

test('requests the state again when the run ends', async () => {
  const { asked, answer } = await open(`/key-system-2${DEVICE}`, { run: run(2, { expiresAt: NOW + MINUTE_MS }) });
  answer(stateResponse());
  await advanceTime(MINUTE_MS);

  expect(asked).toHaveLength(2);
  expect(location.pathname).toBe('/key-system-1');
});

test('while a confirmation is pending the page polls every three seconds, after a minute every ten', async () => {
  const { asked } = await open(`/key-system-2${DEVICE}`, { run: run(2, { waiting: true }) });

  const words = screen.getByText('Waiting for the advertiser.').parentElement!;
  expect(words.getAttribute('role')).toBe('status');
  expect(words.textContent).toBe('Waiting for the advertiser. Usually a minute, then this page goes on.');
  expect(words.querySelector('[aria-hidden=true]')).not.toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
  await advanceTime(2999);
  expect(asked).toHaveLength(1);
  await advanceTime(1);
  expect(asked).toHaveLength(2);
  for (let seconds = 3; seconds < 57; seconds += 3) await advanceTime(3000);
  await advanceTime(2999);
  expect(asked).toHaveLength(20);
  expect(screen.queryByText('Not confirmed yet.')).toBeNull();

  await advanceTime(1);
  const count = asked.length;
  const late = screen.getByText('Not confirmed yet.').parentElement!;
  expect(late.textContent).toBe('Not confirmed yet. Redo this step, or pick another advertiser.');
  expect(late.querySelector('[aria-hidden=true]')).toBeNull();
  expect(screen.getAllByRole('radio')).toHaveLength(3);
  await advanceTime(9999);
  expect(asked).toHaveLength(count);
  await advanceTime(1);
  expect(asked).toHaveLength(count + 1);
});

test('while a confirmation is pending the server may hold each call of the page, but none of the visitor', async () => {
  const { asked, preferred, answer } = await open(`/key-system-2${DEVICE}`, { run: run(2, { waiting: true }) });
  let letGo: (held: Response) => void = () => undefined;
  answer(() => new Promise((resolve) => (letGo = resolve)));
  await advanceTime(3000);
  expect(preferred).toEqual([null, 'wait=6']);
  await advanceTime(5999);
  expect(asked).toHaveLength(2);

  letGo(stateResponse({ run: run(2, { waiting: true }) })());
  await advanceTime(0);
  await advanceTime(2999);
  expect(asked).toHaveLength(2);
  await advanceTime(1);
  expect(asked).toHaveLength(3);
  document.dispatchEvent(new Event('visibilitychange'));
  await advanceTime(0);
  expect(preferred).toEqual([null, 'wait=6', 'wait=6', null]);
});

test('a second pending confirmation counts its own minute', async () => {
  const { answer } = await open(`/key-system-2${DEVICE}`, { run: run(2, { waiting: true }) });
  answer(stateResponse({ run: run(2) }));
  await advanceTime(3000);
  await advanceTime(40_000);
  answer(stateResponse({ run: run(2, { waiting: true }) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await advanceTime(30_000);

  expect(screen.getByText('Waiting for the advertiser.')).toBeDefined();
});

test.each([
  [1, 'no', 0],
  [2, 'a', 1],
])('at step %i the strip reserves %s place for the time while the server is silent', async (step, _what, times) => {
  await open(`/key-system-${String(step)}${DEVICE}`, neverAnswer);

  expect(screen.queryAllByText('Saved for 59 min')).toHaveLength(times);
});

test.each([
  [undefined, '6 short ads'],
  [0, 'Takes under 2 min'],
  [2 * MINUTE_MS - 1, 'Takes under 2 min'],
  [2 * MINUTE_MS, 'Takes about 2 min'],
  [8 * MINUTE_MS, 'Takes about 8 min'],
  [14.4 * MINUTE_MS, 'Takes about 14 min'],
  [17 * MINUTE_MS, 'Takes about 15 min'],
  [18 * MINUTE_MS, 'Takes about 20 min'],
  [60 * MINUTE_MS, 'Takes about 60 min'],
  [61 * MINUTE_MS, 'Takes over an hour'],
])('when runs usually take %d ms, step 1 says “%s”', async (usualRunMs, words) => {
  await open(`/key-system-1${DEVICE}`, { usualRunMs });

  expect(document.querySelector('[data-longest]')?.textContent).toBe(words);
});

test.each([
  ['/key-system-3', { run: run(3) }, 1],
  ['/rosaverx/key-system-3', { app: 'companion', stepsRequired: 3, run: run(3, { of: 3 }) }, 0],
])('the button of %s says how many steps follow, and the strip no usual time', async (path, known, count) => {
  await open(`${path}${DEVICE}`, { usualRunMs: 8 * MINUTE_MS, ...known });

  expect(screen.queryAllByText('then 3 more')).toHaveLength(count);
  expect(screen.queryByText(/^Takes/)).toBeNull();
});

test('while a confirmation is pending the first action is Retry, and when late, to restart the step', async () => {
  const { asked } = await open(`/key-system-2${DEVICE}`, { run: run(2, { waiting: true }) });

  expect(screen.getByRole('link', { name: 'Reopen the ad' }).className).toContain('quiet');
  const before = asked.length;
  fireEvent.click(screen.getByText('Check again'));
  await advanceTime(0);
  expect(asked).toHaveLength(before + 1);

  await advanceTime(60_000);
  expect(screen.getByRole('link', { name: 'Complete' }).className).toContain('primary');
  expect(screen.getByText('Check again').className).toContain('quiet');
});

test('each check for a confirmation is answered, also when there is no news', async () => {
  const { asked, answer } = await open(`/key-system-2${DEVICE}`, { run: run(2, { waiting: true }) });
  let send: (answer: Response) => void = () => undefined;
  answer(() => new Promise((resolve) => (send = resolve)));

  fireEvent.click(screen.getByText('Check again'));
  await advanceTime(0);
  fireEvent.click(screen.getByRole('button', { name: 'Checking…' }));
  await advanceTime(0);
  expect(asked).toHaveLength(2);
  expect(screen.queryByText(/^Still not confirmed/)).toBeNull();

  send(stateResponse({ run: run(2, { waiting: true }) })());
  await advanceTime(0);
  expect(screen.getByText('Still not confirmed · 12:00').closest('[role=status]')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Check again' }).getAttribute('aria-disabled')).toBe('false');
});
