import { closeBrowser, openBrowser, advanceTime, serve, visit } from '@app/testing/visit';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import remote from '../remote.ts';

const SCRIPT = 'print("hello")';
const ENCRYPTED = 'ER8LCwYFQQcICRhCTkg=';
const COPIED = 'Encrypted script copied to clipboard!';

beforeEach(() => openBrowser(new Date(2026, 2, 10, 12).getTime()));
beforeEach(() => prefersReducedMotion(true));
afterEach(closeBrowser);

function prefersReducedMotion(matches: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
}

const result = () => screen.getByLabelText<HTMLTextAreaElement>('Encrypted script').value;
const message = () => screen.getByRole('status').textContent;

/** Opens the page in a browser with this clipboard. */
async function open(clipboard: Pick<Clipboard, 'writeText'> | undefined) {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(clipboard as Clipboard);
  const asked = serve({});
  await visit(remote, '/encrypter');

  return asked;
}

function clipboard() {
  return { writeText: vi.fn<Clipboard['writeText']>().mockResolvedValue(undefined) };
}

function write(text: string) {
  fireEvent.change(screen.getByLabelText('Your script'), { target: { value: text } });
}

async function encrypt(text: string) {
  write(text);
  fireEvent.click(screen.getByRole('button', { name: 'Encrypt' }));
  await advanceTime(0);
}

test('a script is encrypted, copied and shown, without any request', async () => {
  const board = clipboard();
  const asked = await open(board);
  await encrypt(SCRIPT);

  expect([message(), result()]).toEqual([COPIED, ENCRYPTED]);
  expect(board.writeText.mock.calls).toEqual([[ENCRYPTED]]);
  expect(asked).toEqual([]);
});

test('the message disappears after three seconds, the result stays', async () => {
  await open(clipboard());
  await encrypt(SCRIPT);
  await advanceTime(2999);
  expect(message()).toBe(COPIED);

  await advanceTime(1);
  expect([message(), result()]).toEqual(['', ENCRYPTED]);
});

test.each([
  ['without a clipboard', undefined],
  [
    'with a clipboard that refuses',
    { writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')) },
  ],
])('%s the page says so, and shows the result to copy by hand', async (_what, board) => {
  await open(board);
  await encrypt(SCRIPT);

  expect([message(), result()]).toEqual(['Clipboard not supported!', ENCRYPTED]);
});

test('malformed Unicode is rejected, and nothing is copied', async () => {
  const board = clipboard();
  await open(board);
  await encrypt(SCRIPT);
  // A pasted text may contain half of a surrogate pair.
  await encrypt(String.fromCharCode(0xd83d));

  expect([message(), result()]).toEqual(['Error encrypting text', '']);
  expect(board.writeText.mock.calls).toEqual([[ENCRYPTED]]);
});

test('a changed script removes the old result', async () => {
  await open(clipboard());
  await encrypt(SCRIPT);
  expect(result()).toBe(ENCRYPTED);

  write(`${SCRIPT}x`);
  expect(result()).toBe('');
});

test('the result is revealed out of random letters, and is copied whole', async () => {
  prefersReducedMotion(false);
  const board = clipboard();
  await open(board);
  await encrypt(SCRIPT);
  expect(result()).toHaveLength(ENCRYPTED.length);
  expect(result()).not.toBe(ENCRYPTED);
  expect(board.writeText.mock.calls).toEqual([[ENCRYPTED]]);

  await advanceTime(800);
  expect(result()).toBe(ENCRYPTED);
});

test('only the beginning of a long result is animated, and the rest is shown at once', async () => {
  const script = SCRIPT.repeat(100);
  await open(clipboard());
  await encrypt(script);
  const whole = result();

  prefersReducedMotion(false);
  await encrypt(`${script} `);
  await encrypt(script);
  expect(result()).not.toBe(whole);
  expect(result().slice(600)).toBe(whole.slice(600));
  await advanceTime(800);
  expect(result()).toBe(whole);
});

test('a sample is encrypted in two clicks, and its result copied again with a third', async () => {
  const board = clipboard();
  await open(board);
  fireEvent.click(screen.getByRole('button', { name: 'Try a sample' }));
  fireEvent.click(screen.getByRole('button', { name: 'Encrypt' }));
  await advanceTime(3000);
  expect(screen.getByText('63 → 84 characters')).toBeDefined();

  fireEvent.click(screen.getByRole('button', { name: 'Copy again' }));
  await advanceTime(0);
  expect(message()).toBe(COPIED);
  expect(board.writeText.mock.calls).toEqual([[result()], [result()]]);
});
