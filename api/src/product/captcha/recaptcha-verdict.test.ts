import { expect, test, vi } from 'vitest';
import type { CallProvider } from '#api/foundation/http/call-provider.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { handIn } from '#api/test/product/visitor-steps.ts';
import { createRecaptcha } from './recaptcha.ts';

const NOW = Date.UTC(2027, 0, 15, 8);
const MINUTE = 60_000;
const ACCOUNT = {
  siteKey: 'site-key',
  secret: 'the secret',
  hostnames: ['site.example'],
  origin: 'https://google.example',
};

/** A provider that gets this reply from Google to every request. */
function hear(reply: object) {
  const call = vi.fn<CallProvider>(() => Promise.resolve(JSON.stringify(reply)));
  const { verify } = createRecaptcha({ account: ACCOUNT, call, now: () => NOW });
  return { call, verify: () => verify('a token', { hwidHmac: 'hwid', os: 'android' }) };
}

const solvedAt = (at: number) => ({
  success: true,
  hostname: 'site.example',
  challenge_ts: new Date(at).toISOString(),
});

test('Google is asked once, with our secret, by a request that is never repeated', async () => {
  const { call, verify } = hear(solvedAt(NOW));

  expect(await verify()).toBe('a token');
  expect(call).toHaveBeenCalledExactlyOnceWith(new URL('https://google.example/recaptcha/api/siteverify'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'secret=the+secret&response=a+token',
    spends: true,
  });
});

test.each([
  { when: 'two minutes ago', at: NOW - 2 * MINUTE, token: 'a token' },
  { when: 'more than two minutes ago', at: NOW - 2 * MINUTE - 1, token: undefined },
  { when: 'in two minutes, by a clock that is ahead', at: NOW + 2 * MINUTE, token: 'a token' },
  { when: 'later than any clock would say', at: NOW + 2 * MINUTE + 1, token: undefined },
])('a captcha that was solved $when gives $token', async ({ at, token }) => {
  expect(await hear(solvedAt(at)).verify()).toBe(token);
});

test('without a complaint it is the token’s fault, with one about us it is not', async () => {
  expect(await hear({ success: false }).verify()).toBeUndefined();

  await expect(
    hear({ success: false, 'error-codes': ['invalid-input-response', 'invalid-input-secret'] }).verify(),
  ).rejects.toMatchObject({
    message: 'reCAPTCHA does not take our question: invalid-input-secret',
    failure: 'unfit',
  });
  await expect(hear({ success: 'yes' }).verify()).rejects.toMatchObject({
    message: 'reCAPTCHA gave an unknown reply',
    failure: 'unfit',
  });
});

test('a mistake of ours is none of Google’s', async () => {
  const api = await createTestApi({
    recaptcha: ACCOUNT,
    callProvider: () => Promise.reject(new Error('a mistake')),
  });

  expect(JSON.parse(await handIn(api, 'a token'))).toMatchObject({ status: 500 });
});
