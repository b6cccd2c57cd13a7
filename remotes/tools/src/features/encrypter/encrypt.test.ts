import { expect, test } from 'vitest';
import { encrypt } from './encrypt.ts';

/** Decrypts like an app does. It shares no code with `encrypt`. */
function decrypt(encrypted: string): string {
  const key = [...'amber-comet-lantern-quartz'].map((letter) => letter.charCodeAt(0));
  const bytes = Uint8Array.from(atob(encrypted), (sign, index) => sign.charCodeAt(0) ^ (key[index % key.length] ?? 0));
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

test.each([
  ['nothing', ''],
  ['one letter', 'a'],
  ['a script', 'print("hello")\nfor i = 1, 10 do\n\twait(0.5)\nend'],
  ['emoji, joined and coloured', '👩🏽‍🚀🏳️‍🌈🇮🇹'],
  ['combining marks', 'Z͑ͫ̓ a\u0301 ǭ'],
  ['right to left', 'مرحبا שלום'],
  ['signs beyond the first plane', '𝕏𠮷'],
  ['a byte order mark and zeros', '\ufeffa\0b'],
  ['every line ending', 'a\r\nb\rc\u2028d'],
])('%s is the same after encryption and decryption', (_, text) => {
  expect(decrypt(encrypt(text))).toBe(text);
});

test('a hundred kilobytes of all kinds of characters are the same after encryption and decryption', () => {
  const text = 'local x = "ä€😀" -- 日本\n'.repeat(4000);
  expect(new TextEncoder().encode(text).length).toBeGreaterThan(100_000);

  expect(decrypt(encrypt(text))).toBe(text);
});

test.each(['\ud800', 'a\udc00b', '\udc00\ud800', '😀\ud83d'])('rejects half of a surrogate pair (%j)', (text) => {
  expect(() => encrypt(text)).toThrow('half a sign');
});

test('the result is base64 without the readable text', () => {
  const encrypted = encrypt('print("hello")');

  expect(encrypted).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(atob(encrypted)).not.toContain('hello');
});

test('the same text always has the same result, which published apps rely on', () => {
  expect(encrypt('print("hello")')).toBe('ER8LCwYFQQcICRhCTkg=');
});
