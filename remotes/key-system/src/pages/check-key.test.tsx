import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { common, vectors } from '../../../../samples/vectors/vectors.json';
import remote from '../remote.ts';
import { findResult } from '../test/find-result.ts';

const keyOf = (wanted: string) => vectors.find(({ title }) => title === wanted)?.key as string;
const KEY = keyOf('a key of ours, on its device');

/** Reports a request to the page, as a browser does once it has ended. */
let report: (words: string, startTime?: number, sizes?: { transferSize: number; decodedBodySize: number }) => void;

beforeEach(() => {
  openBrowser(common.now * 1000);
  const observers = new Set<(list: unknown) => void>();
  report = (words, startTime = performance.now(), sizes = { transferSize: 300, decodedBodySize: 0 }) =>
    act(() => {
      const [path = '', initiatorType = 'fetch'] = words.split(' ').reverse();
      const entries = [{ name: location.origin + path, startTime, initiatorType, ...sizes }];
      for (const tell of observers) tell({ getEntries: () => entries });
    });
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      static readonly supportedEntryTypes = [];
      private readonly tell: (list: unknown) => void;
      constructor(tell: (list: unknown) => void) {
        this.tell = tell;
      }
      observe() {
        observers.add(this.tell);
      }
      disconnect() {
        observers.delete(this.tell);
      }
    },
  );
});
afterEach(closeBrowser);

/** Opens the page, which fetches the public keys. */
async function open(address = '/check-key') {
  const asked = serve({
    '/.well-known/jwks.json': () => Response.json(common.jwks),
    '/api/key/verify': () =>
      Response.json({ valid: true, code: 'VALID', app: 'main', expiresAt: null, now: common.now * 1000 }),
  });
  await visit(remote, address);
  await advanceTime(20);
  return asked;
}

const fieldOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

async function check(key: string, hwid = common.hwid) {
  fireEvent.change(fieldOf('Key'), { target: { value: key } });
  fireEvent.change(fieldOf('Device ID'), { target: { value: hwid } });
  fireEvent.click(screen.getByRole('button', { name: 'Check' }));
  return findResult();
}

/** What the page says of each part of the check. */
function parts() {
  return within(screen.getByRole('region', { name: 'The check' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
}

test('strips formatting and hidden characters of a chat from a pasted key and device id', async () => {
  const asked = await open();
  const pasted = `“\`${KEY.slice(0, 70)}\u00a0\n${KEY.slice(70).replaceAll('.', '\u200b.')}\`”`;
  const result = await check(pasted, '\u2068device\u20111234\u00ad\u2069');
  expect(within(result).getByText('VALID')).toBeDefined();

  fireEvent.click(within(result).getByRole('button', { name: 'Ask the server' }));
  expect(JSON.parse(String(asked.at(-1)?.body))).toEqual({ key: KEY, hwid: 'device-1234', app: 'main' });
});

test('shows three questions before a check, and answers each for a valid key', async () => {
  await open();
  expect(parts()).toEqual([
    'SignatureIs it ours, and untouched?',
    'DeviceIs it locked to this device ID?',
    'TimeIs it still valid?',
  ]);

  await check(KEY);
  expect(parts()).toEqual([
    'SignatureIt’s ours, and untouched.',
    'DeviceLocked to exactly this device ID.',
    expect.stringMatching(/^TimeValid until \d+\sJanuary at\s\d\d:\d\d\.$/),
  ]);
});

test.each([
  ['signature', keyOf('threat 20: its end edited'), common.hwid, 'This isn’t one of our keys', ['No', 'Not', 'Not']],
  [
    'signature',
    keyOf('threat 20: another key under its own kid'),
    common.hwid,
    'We don’t know who signed this key',
    ['No', 'Not', 'Not'],
  ],
  ['device', KEY, 'device-5678', 'This key is for another device', ['It', 'No', 'Not']],
  ['time', KEY, common.hwid, 'This key has expired', ['It', 'Locked', 'No']],
] as const)('a check stops at an invalid %s', async (part, key, hwid, words, said) => {
  if (part === 'time') vi.setSystemTime((common.now + 25 * 60 * 60) * 1000);
  await open();
  const result = await check(key, hwid);

  expect(within(result).getByText(words)).toBeDefined();
  expect(parts().map((text) => /^(?:Signature|Device|Time)(\w+)/.exec(text)?.[1])).toEqual(said);
});

test('sends no request during a check, and lists the request to the server', async () => {
  const asked = await open();
  expect(screen.getByText(/Ready. Switch on airplane mode and try it/)).toBeDefined();
  report('/before-the-check');
  const before = asked.length;

  const result = await check(KEY);
  expect(asked).toHaveLength(before);
  report('css /releases/shell/1.0.0/static/media/discord.svg');
  expect(result.previousElementSibling?.textContent).toMatch(/^0 requests sent/);

  fireEvent.click(within(result).getByRole('button', { name: 'Ask the server' }));
  report('/api/key/verify');
  await expect.poll(() => screen.queryByText('The server says: This key works')).not.toBeNull();
  expect(screen.getByText('1 request sent').parentElement?.textContent).toBe(
    '1 request sent since the check began. /api/key/verify',
  );

  fireEvent.change(fieldOf('Key'), { target: { value: 'x' } });
  report('/after-the-edit');
  expect(screen.getByText('0 requests sent').dataset['none']).toBeUndefined();
});

test('counts neither earlier requests nor those from the cache', async () => {
  await open();
  const before = performance.now() - 1;
  await check(KEY);
  report('/before-the-check', before);
  expect(screen.getByText('0 requests sent')).toBeDefined();

  report('/.well-known/jwks.json', undefined, { transferSize: 0, decodedBodySize: 200 });
  expect(screen.getByText('0 requests sent')).toBeDefined();

  report('/after-the-check', undefined, { transferSize: 0, decodedBodySize: 0 });
  expect(screen.getByText('1 request sent')).toBeDefined();
  await check(KEY);
  expect(screen.getByText('0 requests sent')).toBeDefined();
});

test('creates a sample key that is valid in this browser only', async () => {
  const pairs = vi.spyOn(crypto.subtle, 'generateKey');
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Try a sample key' }));
  const result = await findResult();

  expect(fieldOf('Device ID').value).toBe('demo-device-0001');
  expect(pairs.mock.calls).toEqual([['Ed25519', false, ['sign', 'verify']]]);
  expect(within(result).getAllByRole('status')[0]?.textContent).toBe(
    'The sample key passesYour browser made it just now, so it won’t open the app.VALID',
  );
  expect(parts()[0]).toBe('SignatureSigned and untouched.');

  const sample = fieldOf('Key').value;
  const changed = sample.slice(0, -10) + (sample.at(-10) === 'A' ? 'B' : 'A') + sample.slice(-9);
  expect(within(await check(changed, 'demo-device-0001')).getByText('SIGNATURE')).toBeDefined();

  closeBrowser();
  openBrowser(common.now * 1000);
  await open();
  expect(within(await check(sample, 'demo-device-0001')).getByText('UNKNOWN_KID')).toBeDefined();
});

test('a browser without Ed25519 creates no sample, and says why', async () => {
  vi.spyOn(crypto.subtle, 'generateKey').mockRejectedValue(new DOMException('Unrecognized name.', 'NotSupportedError'));
  await open();
  fireEvent.click(screen.getByRole('button', { name: 'Try a sample key' }));

  await expect.poll(() => screen.queryByText('This browser can’t check keys')).not.toBeNull();
  expect(fieldOf('Key').value).toBe('');
});

test('moves the key from the URL fragment into the field', async () => {
  await open(`/check-key?hwid=device-5678#key=${KEY}&device=${common.hwid}`);

  expect(fieldOf('Key').value).toBe(KEY);
  expect(fieldOf('Device ID').value).toBe(common.hwid);
  expect(location.href).toBe(`${location.origin}/check-key?hwid=device-5678`);
});

test('without public keys a check says so, and the next check fetches them', async () => {
  const answers = { '/.well-known/jwks.json': () => new Response('', { status: 503 }) };
  serve(answers);
  await visit(remote, '/check-key');
  await advanceTime(20);
  fireEvent.change(fieldOf('Key'), { target: { value: KEY } });
  fireEvent.change(fieldOf('Device ID'), { target: { value: common.hwid } });
  fireEvent.click(screen.getByRole('button', { name: 'Check' }));
  await advanceTime(20);
  expect(screen.getByText(/^Can’t reach our server/)).toBeDefined();

  answers['/.well-known/jwks.json'] = () => Response.json(common.jwks);
  fireEvent.click(screen.getByRole('button', { name: 'Check' }));
  await advanceTime(20);
  const result = await findResult();
  expect(within(result).getByText('VALID')).toBeDefined();
});
