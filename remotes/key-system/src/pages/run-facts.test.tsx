import { closeBrowser, openBrowser, pass, visit } from '@app/testing/visit';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import remote from '../remote.ts';
import { RECAPTCHA, serveRecaptcha } from '../test/fake-recaptcha.ts';
import { MINUTE_MS, NOW, run, silence, startServer, told } from '../test/run-server.ts';

const DEVICE = '?hwid=device-1&zone=z1';
const KEY = { active: true, expiresAt: NOW + 61 * MINUTE_MS, renewable: false, zone: 'same' } as const;

beforeEach(() => openBrowser(NOW, { captcha: RECAPTCHA }));
beforeEach(() => void serveRecaptcha());
afterEach(closeBrowser);

/** What is said beside a label of the facts. */
const fact = (label: string) =>
  screen.getAllByText(label).find(({ tagName }) => tagName === 'DT')?.nextElementSibling?.textContent;

test('the facts say how long a key works, by the clock of the server', async () => {
  startServer(told({ run: run(2), key: KEY, now: NOW + MINUTE_MS }));
  await visit(remote, `/key-system-2${DEVICE}&os=windows`);
  await pass(1);

  expect(screen.getByLabelText('Your run').tagName).toBe('SECTION');
  expect(fact('Your key')).toMatch(/01:00:00 left$/);
  expect(fact('System')).toBe('Windows');
  expect(screen.getByText('device-1')).toBeDefined();
  expect(screen.getByText('Leave any time, your run waits.')).toBeDefined();
});

test.each([
  ['nothing while the server is silent', silence, '–'],
  ['that there is none', told(), 'none yet'],
  ['which key ended', told({ key: { ...KEY, active: false, expiresAt: NOW } }), 'ended at\u00a012:00'],
  ['that a key is for another link', told({ key: { ...KEY, zone: 'other' } }), 'works for another app link'],
] as const)('the facts say %s', async (_what, answer, ofKey) => {
  startServer(answer);
  await visit(remote, `/key-system-1${DEVICE}`);

  expect(fact('Your key')).toBe(ofKey);
});

test('the end of a key is told by the clock of this device', async () => {
  startServer(told({ now: NOW + 10 * MINUTE_MS, key: { ...KEY, active: false, expiresAt: NOW + 5 * MINUTE_MS } }));
  await visit(remote, `/key-system-1${DEVICE}`);

  expect(fact('Your key')).toBe('ended at\u00a011:55');
});

test('when the run has come to its end, the page asks what is left', async () => {
  const { asked, answer } = startServer(told({ run: run(2, { expiresAt: NOW + MINUTE_MS }) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  answer(told());
  await pass(MINUTE_MS);

  expect(asked).toHaveLength(2);
  expect(location.pathname).toBe('/key-system-1');
});

test('while a confirmation is on its way the page polls every three seconds, after a minute every ten', async () => {
  const { asked, answer } = startServer(told({ run: run(2, { waiting: true }) }));
  await visit(remote, `/key-system-2${DEVICE}`);

  const words = screen.getByText('Waiting for the advertiser.').parentElement!;
  expect(words.getAttribute('role')).toBe('status');
  expect(words.textContent).toBe(
    'Waiting for the advertiser. It usually confirms within a minute. This page goes on by itself.',
  );
  expect(words.querySelector<HTMLElement>('[aria-hidden=true]')?.dataset['late']).toBe('false');
  await pass(2999);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(asked).toHaveLength(2);
  for (let seconds = 3; seconds < 57; seconds += 3) await pass(3000);
  await pass(2999);
  expect(asked).toHaveLength(20);
  expect(screen.queryByText('Not confirmed yet.')).toBeNull();

  await pass(1);
  const count = asked.length;
  expect(words.textContent).toBe('Not confirmed yet. Start the step over, or pick another advertiser.');
  expect(words.querySelector<HTMLElement>('[aria-hidden=true]')?.dataset['late']).toBe('true');
  await pass(9999);
  expect(asked).toHaveLength(count);
  await pass(1);
  expect(asked).toHaveLength(count + 1);

  answer(told({ run: run(2) }));
  await pass(10_000);
  answer(told({ run: run(2, { waiting: true }) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(screen.getByText('Waiting for the advertiser.')).toBeDefined();
});

test('a wait that has ended counts no further', async () => {
  const { answer } = startServer(told({ run: run(2, { waiting: true }) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  answer(told({ run: run(2) }));
  await pass(3000);
  await pass(40_000);
  answer(told({ run: run(2, { waiting: true }) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(30_000);

  expect(screen.getByText('Waiting for the advertiser.')).toBeDefined();
});

test('the device and the zone of the address are asked about', async () => {
  const { asked } = startServer(silence);
  await visit(remote, `/rosaverx/key-system-1${DEVICE}`);

  expect(asked).toEqual(['/api/keysystem/state?hwid=device-1&app=companion&zone=z1']);
});

test('without a device no state is asked for', async () => {
  const { asked } = startServer(silence);
  await visit(remote, '/key-system-1?zone=z1');

  expect(asked).toEqual(['/api/keysystem/usual-run?app=main']);
});

test('a visitor who comes back to the page sees the run as it is now', async () => {
  const { answer } = startServer(told({ run: run(2) }));
  await visit(remote, `/key-system-2${DEVICE}`);
  answer(told({ run: run(3) }));
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(0);

  expect(location.pathname).toBe('/key-system-3');
});

test.each([
  [1, 'no', 0],
  [2, 'a', 1],
])('at step %i the strip keeps %s place for the time while the server is silent', async (step, _what, times) => {
  startServer(silence);
  await visit(remote, `/key-system-${String(step)}${DEVICE}`);

  expect(screen.queryAllByText('00:00 left')).toHaveLength(times);
});
