import type { Response } from 'express';
import { expect, test, vi } from 'vitest';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { createEnsureVisitorCookie, createVisitorCookie } from './client-identity.ts';

const DAY = 24 * 60 * 60 * 1000;

const visitors = createVisitorCookie(TEST_PEPPER);

/** The cookie that a browser is given at a moment. */
const made = (at: number) => visitors.make(at).header.split('; ')[0] ?? '';

test('a visitor cookie expires after exactly thirty days', () => {
  expect(visitors.read(made(5000), 5000 + 30 * DAY - 1)).toMatchObject({ since: 5000 });
  expect(visitors.read(made(5000), 5000 + 30 * DAY)).toBeUndefined();
});

test('a signed cookie with a future time, given by a wrong clock, is rejected', () => {
  expect(visitors.read(made(5000), 5000)).toBeDefined();
  expect(visitors.read(made(5001), 5000)).toBeUndefined();
});

test('a cookie of an earlier version still identifies the same browser', () => {
  const cookie = '__Host-v=YAp7CURoTuinIv74MK816A.mywpiww0.lGtT6PTBNnvj8qZbt7oaWRw4si7TNpYxKisCoVHsAk4';

  expect(visitors.read(`theme=dark; ${cookie}`, 1_800_000_000_000)).toEqual({
    hmac: 'nhgRxSqrlWC4cOJ4jRGNpF1oHpgwfCU3tZBHoFSSCto',
    since: 1_800_000_000_000,
  });
});

test('a visitor cookie has its attributes, and its stored value can be read again', () => {
  const { header, hmac } = visitors.make(5000);
  const [cookie = '', ...attributes] = header.split('; ');

  expect(attributes).toEqual(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']);
  expect(visitors.read(cookie, 6000)).toEqual({ hmac, since: 5000 });
  expect(visitors.make(5000).hmac).not.toBe(hmac);
});

test.each([
  { how: 'no cookie', edit: () => undefined },
  { how: 'another cookie', edit: (cookie: string) => cookie.replace('__Host-v', 'v') },
  { how: 'something before it', edit: (cookie: string) => cookie.replace('=', '=a') },
  { how: 'something behind it', edit: (cookie: string) => `${cookie}a` },
  { how: 'another time', edit: (cookie: string) => cookie.replace(/\.\w+\./, '.1.') },
  { how: 'no signature', edit: (cookie: string) => cookie.slice(0, -43) },
  { how: 'another signature', edit: (cookie: string) => cookie.slice(0, -43) + 'a'.repeat(43) },
])('a browser with $how is not recognized', ({ edit }) => {
  expect(visitors.read(edit(made(5000)), 6000)).toBeUndefined();
});

test('a browser with a valid cookie gets no other one', () => {
  const ensure = createEnsureVisitorCookie({ cookie: visitors, now: () => 5000 });
  const append = vi.fn<(name: string, value: string) => void>();
  const res = { append } as unknown as Response;

  expect(ensure({ browser: { hmac: 'known', since: 1 } }, res)).toBe('known');
  expect(append).not.toHaveBeenCalled();

  const hmac = ensure({ browser: undefined }, res);
  expect(append).toHaveBeenCalledExactlyOnceWith('set-cookie', expect.any(String));
  expect(visitors.read(append.mock.lastCall?.[1].split(';')[0], 5000)).toEqual({ hmac, since: 5000 });
});
