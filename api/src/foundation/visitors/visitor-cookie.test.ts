import type { Response } from 'express';
import { expect, test, vi } from 'vitest';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { speakAs, takeCookie } from '#api/test/speak-as.ts';
import { createEnsureVisitorCookie, createVisitorCookie } from './client-identity.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Whether the server gives a browser with this cookie a new one. */
async function isStranger(api: Awaited<ReturnType<typeof createTestApi>>, cookie: string): Promise<boolean> {
  const res = await speakAs(api, { cookie }).visit('/api/keysystemv2?hwid=device-none&step=2');
  return res.headers.get('set-cookie') !== null;
}

test('a browser is known for thirty days, and no moment longer', async () => {
  const api = await createTestApi();
  const cookie = await takeCookie(api);

  api.pass(30 * DAY - 1);
  expect(await isStranger(api, cookie)).toBe(false);
  api.pass(1);
  expect(await isStranger(api, cookie)).toBe(true);
});

test('a cookie from the future is none, though it is signed: a clock that was wrong gave it', async () => {
  const api = await createTestApi();
  const made = (at: number) => createVisitorCookie(TEST_PEPPER).make(at).header.split(';')[0] ?? '';

  expect(await isStranger(api, made(api.now()))).toBe(false);
  expect(await isStranger(api, made(api.now() + 1))).toBe(true);
});

test('a cookie whose time was changed by hand is none', async () => {
  const api = await createTestApi();
  const cookie = await takeCookie(api);
  const [name = '', time = '', signature = ''] = cookie.split('.');
  const earlier = [name, (Number.parseInt(time, 36) - DAY).toString(36), signature].join('.');

  expect(await isStranger(api, earlier)).toBe(true);
});

test('a cookie that was made before still names the same browser', () => {
  const cookie = '__Host-v=YAp7CURoTuinIv74MK816A.mywpiww0.lGtT6PTBNnvj8qZbt7oaWRw4si7TNpYxKisCoVHsAk4';

  expect(createVisitorCookie(TEST_PEPPER).read(`theme=dark; ${cookie}`, 1_800_000_000_000)).toEqual({
    hmac: 'nhgRxSqrlWC4cOJ4jRGNpF1oHpgwfCU3tZBHoFSSCto',
    since: 1_800_000_000_000,
  });
});

test('a browser is given the attributes of its cookie, and what is stored of it is what is read from it', () => {
  const visitors = createVisitorCookie(TEST_PEPPER);
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
  { how: 'no signature', edit: (cookie: string) => cookie.slice(0, -43) },
  { how: 'another signature', edit: (cookie: string) => cookie.slice(0, -43) + 'a'.repeat(43) },
])('a browser with $how is not known', ({ edit }) => {
  const visitors = createVisitorCookie(TEST_PEPPER);
  const [cookie = ''] = visitors.make(5000).header.split('; ');

  expect(visitors.read(edit(cookie), 6000)).toBeUndefined();
});

test('a browser that has a cookie is given no other one', () => {
  const cookie = createVisitorCookie(TEST_PEPPER);
  const ensure = createEnsureVisitorCookie({ cookie, now: () => 5000 });
  const append = vi.fn<(name: string, value: string) => void>();
  const res = { append } as unknown as Response;

  expect(ensure({ browser: { hmac: 'known', since: 1 } }, res)).toBe('known');
  expect(append).not.toHaveBeenCalled();

  const hmac = ensure({ browser: undefined }, res);
  expect(append).toHaveBeenCalledExactlyOnceWith('set-cookie', expect.any(String));
  expect(cookie.read(append.mock.lastCall?.[1].split(';')[0], 5000)).toEqual({ hmac, since: 5000 });
});
