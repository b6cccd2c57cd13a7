import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { idsFrom, openText, randomId, sealText } from './secrets.ts';

test('ids sort by creation time and are unique', () => {
  vi.useFakeTimers();
  const ids = Array.from({ length: 100 }, () => {
    vi.advanceTimersByTime(1);
    return randomId();
  });

  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(-22))).size).toBe(100);
});

test('idsFrom generates ids that sort between earlier and later ones', () => {
  const at = 1_800_000_000_000;

  expect(randomId(at - 1) < idsFrom(at)).toBe(true);
  expect(idsFrom(at) < randomId(at)).toBe(true);
});

const makeKey = () => createSecretKey(randomBytes(32));
const KEY = makeKey();

test('a sealed text can be decrypted with its key for its owner', () => {
  expect(openText(KEY, 'row-1', sealText(KEY, 'row-1', 'device-1234'))).toBe('device-1234');
});

test('sealing one text twice gives different ciphertexts', () => {
  expect(sealText(KEY, 'row-1', 'device-1234')).not.toBe(sealText(KEY, 'row-1', 'device-1234'));
});

test('decryption fails with another key, for another row or after a change', () => {
  const sealed = sealText(KEY, 'row-1', 'device-1234');
  const bytes = Buffer.from(sealed, 'base64url');
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  const changed = bytes.toString('base64url');

  expect(() => openText(makeKey(), 'row-1', sealed)).toThrow();
  expect(() => openText(KEY, 'row-2', sealed)).toThrow();
  expect(() => openText(KEY, 'row-1', changed)).toThrow();
});
