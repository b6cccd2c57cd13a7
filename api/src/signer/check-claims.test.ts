import { expect, test } from 'vitest';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { keySubject } from '#api/foundation/visitors/pseudonyms.ts';
import { T0 } from '#api/test/build-rows.ts';
import { checkClaims } from './check-claims.ts';

const IAT = Math.floor(T0 / 1000);
const KEY = {
  iss: 'https://site.example',
  aud: 'main',
  sub: keySubject('device-1234'),
  jti: randomId(T0),
  iat: IAT,
  nbf: IAT,
  exp: IAT + 86_400,
  src: 'ads',
  v: 1,
};
const VERDICT = {
  v: 1,
  nonce: 'nonce-of-16-char',
  aud: 'main',
  sub: KEY.sub,
  key: keySubject('any key'),
  code: 'VALID',
  exp: KEY.exp,
  iat: IAT,
};
const dayBefore = (days: number) => new Date(T0 - days * 86_400_000).toISOString().slice(0, 10);
const YESTERDAY = dayBefore(1);
const TODAY = new Date(T0).toISOString().slice(0, 10);
const ANCHOR = { day: YESTERDAY, first_seq: 1, last_seq: 5, last_hash: 'a'.repeat(64) };

const check = (typ: unknown, claims: unknown) => checkClaims(typ, claims, { issuer: 'https://site.example', now: T0 });

test('claims of a key and of an anchor are accepted with their id', () => {
  expect(check('key+jws', KEY)).toEqual({ id: KEY.jti });
  expect(check('key+jws', { ...KEY, src: 'plan', exp: IAT + 60 })).toEqual({ id: KEY.jti });
  const { last_hash } = ANCHOR;
  expect(check('audit-anchor+jws', ANCHOR)).toEqual({ id: YESTERDAY, last_seq: 5, last_hash });
  expect(check('audit-anchor+jws', { ...ANCHOR, last_seq: 0 })).toEqual({ id: YESTERDAY, last_seq: 0, last_hash });
  expect(check('audit-anchor+jws', { ...ANCHOR, day: dayBefore(8) })).toMatchObject({ id: dayBefore(8) });
});

test.each([
  { what: 'that lasts longer than a day', change: { exp: IAT + 86_401 } },
  { what: 'that ends before it begins', change: { exp: IAT } },
  { what: 'of tomorrow', change: { iat: IAT + 301, nbf: IAT + 301, exp: IAT + 400 } },
  { what: 'of an hour ago', change: { iat: IAT - 3600, nbf: IAT - 3600 } },
  { what: 'that is valid from another moment', change: { nbf: IAT - 1 } },
  { what: 'of another site', change: { iss: 'https://other.example' } },
  { what: 'of what is no app', change: { aud: 'Other' } },
  { what: 'of no device', change: { sub: '*' } },
  { what: 'with an id of the caller’s choice', change: { jti: 'mine' } },
  { what: 'with one member more', change: { admin: true } },
  { what: 'with one member less', change: { src: undefined } },
  { what: 'of no numbers', change: { exp: '1' } },
])('threat 45: a key $what is rejected', ({ change }) => {
  expect(check('key+jws', { ...KEY, ...change })).toEqual({ refused: expect.any(String) as string });
});

test('a verdict about a key is accepted when the clock of its server is five minutes ahead or the key has just expired', () => {
  expect(check('verdict+jws', { ...VERDICT, exp: KEY.exp + 300 })).toEqual({ id: VERDICT.nonce });
  expect(check('verdict+jws', { ...VERDICT, exp: IAT - 299 })).toEqual({ id: VERDICT.nonce });
});

test('verdicts with every code are accepted', () => {
  expect(check('verdict+jws', VERDICT)).toEqual({ id: VERDICT.nonce });
  expect(check('verdict+jws', { ...VERDICT, code: 'SIGNATURE', exp: null })).toEqual({ id: VERDICT.nonce });
  expect(check('verdict+jws', { ...VERDICT, code: 'EXPIRED', exp: IAT - 86_400 })).toEqual({ id: VERDICT.nonce });
});

test.each([
  { what: 'of an hour ago', change: { iat: IAT - 3600 } },
  { what: 'of an hour ago, about a key that does not open', change: { iat: IAT - 3600, code: 'EXPIRED' } },
  { what: 'of tomorrow', change: { iat: IAT + 301, code: 'EXPIRED' } },
  { what: 'about a key that opens without an end', change: { exp: null } },
  { what: 'about a key that opens for a week', change: { exp: IAT + 7 * 86_400 } },
  { what: 'about a key that opens and is over', change: { exp: IAT - 3600 } },
  { what: 'of no finding', change: { code: 'FINE' } },
  { what: 'of what is no app', change: { aud: 'Other' } },
  { what: 'of no device', change: { sub: '*' } },
  { what: 'of no key', change: { key: 'eyJ.eyJ.x' } },
  { what: 'with a short nonce', change: { nonce: 'short' } },
  { what: 'with one member more', change: { jti: KEY.jti } },
])('threat 45: a verdict $what is rejected', ({ change }) => {
  expect(check('verdict+jws', { ...VERDICT, ...change })).toEqual({ refused: expect.any(String) as string });
});

test('threat 52: claims of a key are rejected as a verdict, and those of a verdict as a key', () => {
  expect(check('verdict+jws', KEY)).toMatchObject({ refused: expect.any(String) as string });
  expect(check('key+jws', VERDICT)).toMatchObject({ refused: expect.any(String) as string });
});

test.each([
  { what: 'of a day that goes on', change: { day: TODAY } },
  { what: 'of no day', change: { day: 'yesterday' } },
  { what: 'of a day too long ago', change: { day: dayBefore(10) } },
  { what: 'that begins before the first row', change: { first_seq: 0 } },
  { what: 'that ends long before it begins', change: { first_seq: 9, last_seq: 5 } },
  { what: 'of no hash', change: { last_hash: 'hash' } },
  { what: 'with one member more', change: { jti: KEY.jti } },
])('threat 45: an anchor $what is rejected', ({ change }) => {
  expect(check('audit-anchor+jws', { ...ANCHOR, ...change })).toEqual({ refused: expect.any(String) as string });
});

test.each(['2027-02-30', '2027-13-01'])('threat 45: an anchor of the invalid day %s is rejected', (day) => {
  const bounds = { issuer: undefined, now: Date.parse('2027-03-04') };
  expect(checkClaims('audit-anchor+jws', { ...ANCHOR, day }, bounds)).toEqual({
    refused: 'no claims of an anchor: day',
  });
});

test.each(['JWT', 'at+jwt', '', undefined, 1])('claims of the type %s are rejected', (typ) => {
  expect(check(typ, KEY)).toEqual({ refused: 'nothing of this type is signed' });
});

test('the reason of a rejection does not quote the claims', () => {
  expect(JSON.stringify(check('key+jws', { ...KEY, sub: 'a secret', iss: 'a secret' }))).not.toContain('secret');
});
