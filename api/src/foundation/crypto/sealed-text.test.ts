import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openText, sealText } from './secrets.ts';

const makeKey = () => createSecretKey(randomBytes(32));
const KEY = makeKey();

test('a sealed text opens with its key, for its owner', () => {
  expect(openText(KEY, 'row-1', sealText(KEY, 'row-1', 'device-1234'))).toBe('device-1234');
});

test('the same text never looks the same', () => {
  expect(sealText(KEY, 'row-1', 'device-1234')).not.toBe(sealText(KEY, 'row-1', 'device-1234'));
});

test('with another key, on another row or after a change it does not open', () => {
  const sealed = sealText(KEY, 'row-1', 'device-1234');
  const bytes = Buffer.from(sealed, 'base64url');
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  const changed = bytes.toString('base64url');

  expect(() => openText(makeKey(), 'row-1', sealed)).toThrow();
  expect(() => openText(KEY, 'row-2', sealed)).toThrow();
  expect(() => openText(KEY, 'row-1', changed)).toThrow();
});
