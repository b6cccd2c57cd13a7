import { expect, test } from 'vitest';
import { createTestApi, TEST_PEPPER } from '#api/test/create-test-api.ts';
import { speakAs, takeCookie } from '#api/test/speak-as.ts';
import { createVisitorCookie } from './visitor-cookie.ts';

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
