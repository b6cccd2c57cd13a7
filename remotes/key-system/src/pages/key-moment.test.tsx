import type { RunState } from '@app/contracts/key-system-schemas';
import { fragmentOf } from '@app/platform';
import { closeBrowser, openBrowser, advanceTime, visit } from '@app/testing/visit';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { common, vectors } from '../../../../samples/vectors/vectors.json';
import remote from '../remote.ts';
import { MINUTE_MS, state } from '../test/run-server.ts';

const NOW = common.now * 1000;
const DEVICE = `?hwid=${common.hwid}&zone=z1`;
const KEY = { active: true, expiresAt: NOW + 60 * MINUTE_MS, renewable: false, zone: 'same' } as const;
const HINT = 'Nothing to copy. Open the app, it picks up your key.';
const FETCHED = 'Picked up by your app.';
const PROOF = 'Verified on this device, offline';

const keyOf = (wanted: string) => vectors.find(({ title }) => title === wanted)?.key as string;
const VALID_KEY = keyOf('a key of ours, on its device');

beforeEach(() => openBrowser(NOW));
afterEach(closeBrowser);

/** Answers for a device with a key. What else is asked stays without an answer. */
function startServer({
  key = {},
  jws = VALID_KEY,
  now = NOW,
}: { key?: Partial<NonNullable<RunState['key']>>; jws?: unknown; now?: number } = {}) {
  const asked: string[] = [];
  const answers: Record<string, () => unknown> = {
    '/api/keysystem/state': () => state({ key: { ...KEY, ...key }, now }),
    '/api/key': () => (jws === null ? { status: 'none' } : { status: 'active', key: jws }),
    '/.well-known/jwks.json': () => common.jwks,
  };
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    const answer = answers[address.split('?')[0] ?? ''];
    return answer ? Response.json(answer()) : new Promise(() => undefined);
  });
  return asked;
}

async function openKey(path = '/key-system-getkey', device = DEVICE, name = 'Key System completed!') {
  await visit(remote, path + device);
  await advanceTime(20);
  // The platform's own cryptography takes its time, whatever the clock of the test says.
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve));
  return screen.getByRole('dialog', { name });
}

function untilChecked(dialog: HTMLElement) {
  return waitFor(() => expect(within(dialog).queryByRole('status', { busy: true })).toBeNull());
}

test('shows the key in a dialog over an empty page, and focuses its ticket after the dialog is closed', async () => {
  startServer();
  const dialog = await openKey();
  expect(dialog.textContent).toMatch(/Expires (today|tomorrow) at\s/);
  expect(within(dialog).getByRole('timer')).toBeDefined();
  expect(screen.queryByText('Device ID')).toBeNull();
  expect(screen.getAllByText(HINT)).toHaveLength(1);

  fireEvent.click(within(dialog).getByLabelText('Close'));

  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your key is ready: open the app' }));
  expect(screen.getAllByText(HINT)).toHaveLength(1);
  expect(screen.getByText('Launch').getAttribute('href')).toBe('roblox://');
  expect(screen.getByText('See the plans').getAttribute('href')).toBe(`/plans${DEVICE}`);
  expect(screen.getByText('Device ID')).toBeDefined();
});

test.each([true, false])('its action is focused, but not for a finger: %s', async (isTouched) => {
  vi.stubGlobal('matchMedia', () => ({ matches: isTouched, addEventListener() {}, removeEventListener() {} }));
  startServer();
  const dialog = await openKey();

  expect(document.activeElement).toBe(isTouched ? dialog : within(dialog).getByText('Launch'));
});

test.each([
  { age: MINUTE_MS, isNew: true },
  { age: 3 * MINUTE_MS, isNew: false },
])('the end of its run is played for a key of $age ms: $isNew', async ({ age, isNew }) => {
  startServer({ key: { expiresAt: NOW + 24 * 60 * MINUTE_MS - age } });
  const dialog = await openKey();
  expect(dialog.querySelectorAll('[data-new=true]')).toHaveLength(isNew ? 2 : 0);

  fireEvent.click(within(dialog).getByLabelText('Close'));
  expect(document.querySelectorAll('[data-new=false]')).toHaveLength(2);
});

test('says that the app has fetched the key when the visitor comes back to the page', async () => {
  const answers = { isFetched: false };
  startServer({ key: answers });
  const dialog = await openKey();
  const isSaid = (words: string) => within(dialog).getByText(words).getAttribute('aria-hidden') === 'false';
  expect([isSaid(HINT), isSaid(FETCHED)]).toEqual([true, false]);

  answers.isFetched = true;
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect([isSaid(HINT), isSaid(FETCHED)]).toEqual([false, true]));
});

test('says that the app has fetched the key while the page is open, and asks no more', async () => {
  const answers = { isFetched: false };
  const asked = startServer({ key: answers });
  await visit(remote, `/key-system-getkey${DEVICE}`);
  await advanceTime(20);
  const isSaid = () => screen.getByText(FETCHED).getAttribute('aria-hidden') === 'false';
  expect(isSaid()).toBe(false);

  answers.isFetched = true;
  await advanceTime(5000);
  expect(isSaid()).toBe(true);
  const count = asked.length;
  await advanceTime(MINUTE_MS);
  expect(asked).toHaveLength(count);
});

test('says by the server’s clock when the key expires', async () => {
  const ahead = 24 * 60 * MINUTE_MS;
  startServer({ key: { expiresAt: NOW + ahead + MINUTE_MS }, now: NOW + ahead });
  await visit(remote, `/key-system-getkey${DEVICE}`);
  await advanceTime(20);

  const time = new Date(NOW + MINUTE_MS).toTimeString().slice(0, 5);
  expect(screen.getByText(/^Expires/).textContent).toBe(`Expires today at\u00a0${time}`);
});

test('does not say that the next key is to be had from a moment in the past', async () => {
  startServer({ key: { expiresAt: NOW + 60 * MINUTE_MS, renewableAt: NOW - 60 * MINUTE_MS } });
  const dialog = await openKey();

  expect(within(dialog).queryByText(/^Next key from/)).toBeNull();
});

test.each([
  { left: 61, address: `/api/key-reminder?app=main&ends=${NOW + 61 * MINUTE_MS}` },
  { left: 60, address: undefined },
])('offers a reminder of $left minutes before the end only if an hour is left', async ({ left, address }) => {
  startServer({ key: { expiresAt: NOW + left * MINUTE_MS } });
  const dialog = await openKey();

  const reminder = within(dialog).queryByText('Tell me an hour before it ends');
  expect(reminder?.closest('a')?.getAttribute('href')).toBe(address);
});

test('a reminder that was taken says so', async () => {
  startServer({ key: { expiresAt: NOW + 61 * MINUTE_MS } });
  const dialog = await openKey();
  fireEvent.click(within(dialog).getByText('Tell me an hour before it ends'));

  expect(within(dialog).getByText('Calendar file saved').closest('[role=status]')).not.toBeNull();
});

test('counts down the hours of the ticket by the server’s clock', async () => {
  const ahead = 60 * MINUTE_MS;
  startServer({ key: { expiresAt: NOW + ahead + 150 * MINUTE_MS, isFetched: true }, now: NOW + ahead });
  await visit(remote, `/key-system-getkey${DEVICE}`);
  await advanceTime(20);
  expect(within(screen.getByRole('dialog')).getByRole('timer').textContent).toContain('02:30:00');
  const lit = (which: string) => dashesOf(`g > circle${which}`);
  expect(lit(':not([data-last])')).toEqual([[0.72, 0.28, 0.72, 0.28, expect.closeTo(0.5, 3), 24]]);

  await advanceTime(90 * MINUTE_MS);
  expect(lit(':not([data-last])')).toEqual([[0.72, 0.28, expect.closeTo(0, 2), 24]]);
});

test('marks the hours in which the next run may begin, and says when they do', async () => {
  const expiresAt = NOW + 20 * 60 * MINUTE_MS;
  startServer({ key: { expiresAt, renewableAt: expiresAt - 90 * MINUTE_MS } });
  const dialog = await openKey();

  expect(dashesOf('circle[data-last]')).toEqual([[0.72, 0.28, 0.5, 24]]);
  const from = new Date(expiresAt - 90 * MINUTE_MS);
  const day = from.getDate() === new Date(NOW).getDate() ? 'today' : 'tomorrow';
  expect(within(dialog).getByText(/^Next key from/).textContent).toBe(
    `Next key from\u00a0${day} at\u00a0${from.toTimeString().slice(0, 5)}`,
  );
});

function dashesOf(circles: string) {
  return [...document.querySelectorAll(circles)].map((circle) =>
    circle.getAttribute('stroke-dasharray')?.split(' ').map(Number),
  );
}

test('a key that was verified in this browser says so, and links to the page that shows how', async () => {
  const asked = startServer();
  const dialog = await openKey();

  const proof = (await within(dialog).findByText(PROOF)).closest('a');
  // The key is handed over in memory: in an address, the browser's history would keep it.
  expect(proof?.getAttribute('href')).toBe(`/check-key${DEVICE}`);
  fireEvent.click(proof!);
  expect(fragmentOf({ pathname: '/check-key', hash: '' })).toBe(`#key=${VALID_KEY}&device=${common.hwid}`);
  expect(asked).toContain(`/api/key${DEVICE.replace('&', '&app=main&')}`);

  fireEvent.click(within(dialog).getByLabelText('Close'));
  expect(screen.getByText(PROOF)).toBeDefined();
  expect(screen.queryByText('Check a key')).toBeNull();
});

const BROKEN_CRYPTO = () =>
  vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new DOMException('Unrecognized name.', 'NotSupportedError'));

test.each<{ why: string; jws?: string | null; path?: string; device?: string; before?: () => unknown }>([
  { why: 'the server gives no key', jws: null },
  { why: 'its signature is wrong', jws: keyOf('threat 20: its end edited') },
  { why: 'an unknown key signed it', jws: keyOf('threat 20: another key under its own kid') },
  { why: 'it is for another device', device: '?hwid=device-5678&zone=z1' },
  { why: 'it is for another app', path: '/rosaverx/key-system-getkey' },
  { why: 'the browser has no Ed25519', before: BROKEN_CRYPTO },
])('a key is not shown as verified when $why', async ({ jws = VALID_KEY, path, device = DEVICE, before }) => {
  before?.();
  const asked = startServer({ jws });
  const dialog = await openKey(path, device);
  await untilChecked(dialog);
  expect(asked).toContain('/.well-known/jwks.json');

  expect(within(dialog).queryByText(PROOF)).toBeNull();
  fireEvent.click(within(dialog).getByLabelText('Close'));
  expect(screen.getByText('Check a key').closest('a')?.getAttribute('href')).toBe(`/check-key${device}`);
});

test('offers a new run in place of a key of another link', async () => {
  const asked = startServer({ key: { zone: 'other' } });
  const dialog = await openKey();

  expect(within(dialog).getByText('Get a key for this link').getAttribute('href')).toBe(`/key-system-1${DEVICE}`);
  expect(asked.filter((address) => address.startsWith('/api/key?'))).toEqual([]);
});

test('a key that expires soon offers the next one before the app', async () => {
  startServer({ key: { renewable: true, expiresAt: NOW + 9.5 * MINUTE_MS } });
  const dialog = await openKey('/key-system-getkey', DEVICE, 'Your key ends soon');
  expect(within(dialog).getByText('9 minutes left. Then do the steps again.')).toBeDefined();
  expect(within(dialog).queryByText(/24 hours/)).toBeNull();
  const next = within(dialog).getByText('Get the next key');
  expect(next.getAttribute('href')).toBe(`/key-system-1${DEVICE}`);
  expect(next.className).toContain('primary');
  expect(within(dialog).getByText('Launch').className).toContain('quiet');
  expect(dialog.querySelector('[data-ending=true]')).not.toBeNull();

  fireEvent.click(within(dialog).getByLabelText('Close'));
  expect(screen.getByText('Get the next key').getAttribute('href')).toBe(`/key-system-1${DEVICE}`);
});
