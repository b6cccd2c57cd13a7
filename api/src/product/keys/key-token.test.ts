import { createHmac, sign } from 'node:crypto';
import type { AppId } from '@app/contracts/key-system';
import { expect, test } from 'vitest';
import { signJws } from '#api/foundation/crypto/jws.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { generateSigningKey, readSigningKey } from '#api/foundation/crypto/signing-key.ts';
import { readKey, signKey, type KeyClaims } from './key-token.ts';

const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;
const OWN_KEY = readSigningKey(generateSigningKey('ours'));
const FOREIGN_KEY = readSigningKey(generateSigningKey('theirs'));
const CLAIMS: KeyClaims = {
  iss: 'https://example.com',
  aud: 'main',
  sub: keySubject('device-1234'),
  jti: 'jti',
  iat: SECONDS,
  nbf: SECONDS,
  exp: SECONDS + 86_400,
  src: 'ads',
  v: 1,
};
const KEY = await signKey(OWN_KEY, CLAIMS);
const [HEADER = '', PAYLOAD = '', SIGNATURE = ''] = KEY.split('.');

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function codeOf(
  token: string,
  { app = CLAIMS.aud, subject = CLAIMS.sub, now = NOW }: Partial<{ app: AppId; subject: string; now: number }> = {},
) {
  return readKey(token, { keys: [OWN_KEY.publicJwk], app, subject, now }).code;
}

test('our key is valid on its device and has the documented format', () => {
  expect(codeOf(KEY)).toBe('VALID');
  expect(JSON.parse(Buffer.from(HEADER, 'base64url').toString('utf8'))).toEqual({
    alg: 'EdDSA',
    kid: 'ours',
    typ: 'key+jws',
  });
});

test.each([
  { how: 'an edited end', token: `${HEADER}.${encode({ ...CLAIMS, exp: CLAIMS.exp + 1 })}.${SIGNATURE}` },
  { how: 'no signature', token: `${HEADER}.${PAYLOAD}.` },
  { how: 'alg none', token: `${encode({ alg: 'none', kid: 'ours', typ: 'key+jws' })}.${PAYLOAD}.` },
  { how: 'alg HS256 over our public key', token: signHs256() },
  { how: 'another algorithm, though we signed it', token: signAs({ alg: 'Ed25519', kid: 'ours', typ: 'key+jws' }) },
  { how: 'our kid on a foreign signature', token: signJws({ ...FOREIGN_KEY, kid: 'ours' }, 'key+jws', CLAIMS) },
  {
    how: 'an extra header',
    token: `${encode({ alg: 'EdDSA', kid: 'ours', typ: 'key+jws', crit: ['x'] })}.${PAYLOAD}.${SIGNATURE}`,
  },
  { how: 'another type', token: `${encode({ alg: 'EdDSA', kid: 'ours', typ: 'JWT' })}.${PAYLOAD}.${SIGNATURE}` },
  { how: 'a fourth part', token: `${KEY}.x` },
  { how: 'a stray character', token: `${KEY}=` },
  { how: 'another spelling of the signature', token: `${HEADER}.${PAYLOAD}.${respellBase64(SIGNATURE)}` },
  { how: 'nothing in it', token: '' },
])('threat 20: a key with $how is rejected because of its signature', ({ token }) => {
  expect(codeOf(token)).toBe('SIGNATURE');
});

test('threat 20: a key signed with an unpublished key is rejected with the id of that key', async () => {
  expect(codeOf(await signKey(FOREIGN_KEY, CLAIMS))).toBe('UNKNOWN_KID');
});

test.each([
  { what: 'an unknown source', change: { src: 'gift' } },
  { what: 'another version', change: { v: 2 } },
  { what: 'an unknown app', change: { aud: 'Other' } },
  { what: 'no end', change: { exp: undefined } },
])('a signed token with $what is rejected as a key', ({ change }) => {
  expect(codeOf(signJws(OWN_KEY, 'key+jws', { ...CLAIMS, ...change }))).toBe('SIGNATURE');
});

test('threat 21: a key copied to another device is rejected there', () => {
  expect(codeOf(KEY, { subject: keySubject('device-5678') })).toBe('DEVICE_MISMATCH');
});

test('a key of one app is rejected by the other app', () => {
  expect(codeOf(KEY, { app: 'companion' })).toBe('APP_MISMATCH');
});

test.each([
  { when: 'in its last millisecond', now: CLAIMS.exp * 1000 - 1, code: 'VALID' },
  { when: 'when its 24 hours are over', now: CLAIMS.exp * 1000, code: 'EXPIRED' },
  { when: 'five minutes before it was made, by a slow clock', now: NOW - 300_000, code: 'VALID' },
  { when: 'more than five minutes before it was issued', now: NOW - 301_000, code: 'SIGNATURE' },
])('a key checked $when is $code', ({ now, code }) => {
  expect(codeOf(KEY, { now })).toBe(code);
});

function signAs(header: object): string {
  const signed = `${encode(header)}.${PAYLOAD}`;
  return `${signed}.${sign(null, Buffer.from(signed), OWN_KEY.privateKey).toString('base64url')}`;
}

function signHs256(): string {
  const signed = `${encode({ alg: 'HS256', kid: 'ours', typ: 'key+jws' })}.${PAYLOAD}`;
  return `${signed}.${createHmac('sha256', OWN_KEY.publicJwk.x).update(signed).digest('base64url')}`;
}

/** Another text that decodes to the same bytes: the last character has unused bits. */
function respellBase64(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = [...alphabet]
    .map((last) => text.slice(0, -1) + last)
    .find((other) => other !== text && Buffer.from(other, 'base64url').equals(bytes));
  if (other === undefined) throw new Error('This text has one spelling only.');

  return other;
}
