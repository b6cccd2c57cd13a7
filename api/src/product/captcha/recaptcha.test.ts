import { expect, test, vi } from 'vitest';
import { type CallProvider, ProviderError } from '#api/foundation/http/call-provider.ts';
import type { Env } from '#api/foundation/settings/env.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { clickComplete, handIn, HWID } from '#api/test/product/visitor-steps.ts';
import { createRecaptcha, presentCaptcha, readRecaptchaAccount } from './recaptcha.ts';

const NOW = Date.UTC(2027, 0, 15, 8);
const MINUTE = 60_000;
const ACCOUNT = {
  siteKey: 'site-key',
  secret: 'the secret',
  hostnames: ['site.example', 'www.site.example'],
  origin: 'https://google.example',
};

const buildReply = (changes: object = {}, at = NOW) => ({
  success: true,
  hostname: 'site.example',
  challenge_ts: new Date(at).toISOString(),
  ...changes,
});

/** A provider that gets this reply from Google. */
function openProvider(reply: object | string) {
  const call = vi.fn<CallProvider>(() => Promise.resolve(typeof reply === 'string' ? reply : JSON.stringify(reply)));
  const { verify } = createRecaptcha({ account: ACCOUNT, call, now: () => NOW });
  return { call, verify: () => verify('a token', { hwidHmac: 'hwid', os: 'android' }) };
}

test('a reCAPTCHA token is verified in one request with our secret, without retries', async () => {
  const { call, verify } = openProvider(buildReply());

  expect(await verify()).toBe('a token');
  expect(call).toHaveBeenCalledExactlyOnceWith(new URL('https://google.example/recaptcha/api/siteverify'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'secret=the+secret&response=a+token',
    spends: true,
  });
});

test('a verification that Google declined is retried', async () => {
  const { call, verify } = openProvider(buildReply());
  call.mockRejectedValueOnce(new ProviderError('too much to do', { failure: 'declined' }));

  expect(await verify()).toBe('a token');
  expect(call).toHaveBeenCalledTimes(2);
});

test.each([
  { why: 'on another site', reply: buildReply({ hostname: 'evil.example' }) },
  { why: 'on a site that ends like ours', reply: buildReply({ hostname: 'evil-site.example' }) },
  { why: 'in an Android app', reply: buildReply({ hostname: '', apk_package_name: 'site.example' }) },
  { why: 'more than two minutes ago', reply: buildReply({}, NOW - 2 * MINUTE - 1) },
  { why: 'more than two minutes in the future', reply: buildReply({}, NOW + 2 * MINUTE + 1) },
  { why: 'by nobody, without a reason', reply: { success: false } },
  ...['timeout-or-duplicate', 'missing-input-response', 'invalid-input-response'].map((code) => ({
    why: `by nobody: ${code}`,
    reply: { success: false, 'error-codes': [code] },
  })),
])('threat 18: a captcha solved $why is rejected', async ({ reply }) => {
  expect(await openProvider(reply).verify()).toBeUndefined();
});

test.each([
  { when: 'two minutes ago', at: NOW - 2 * MINUTE },
  { when: 'in two minutes, by a clock that is ahead', at: NOW + 2 * MINUTE },
])('a captcha solved $when is accepted', async ({ at }) => {
  expect(await openProvider(buildReply({ hostname: 'www.site.example' }, at)).verify()).toBe('a token');
});

test.each([
  '<html>true</html>',
  '"true"',
  '{"success":"true"}',
  '{"success":true,"hostname":"site.example"}',
  '{"success":true,"hostname":"site.example","challenge_ts":"now"}',
])('threat 12: the reCAPTCHA reply %s neither accepts nor rejects', async (reply) => {
  await expect(openProvider(reply).verify()).rejects.toMatchObject({ failure: 'unfit' });
});

test('threat 12: a reCAPTCHA account error neither accepts nor rejects', async () => {
  const reply = { success: false, 'error-codes': ['invalid-input-response', 'invalid-input-secret'] };

  await expect(openProvider(reply).verify()).rejects.toMatchObject({
    message: 'reCAPTCHA does not take our question: invalid-input-secret',
    failure: 'unfit',
  });
});

/** The API with reCAPTCHA as its captcha, and Google’s reply. */
const openApi = (callProvider: CallProvider, changes = {}) =>
  createTestApi({ recaptcha: { ...ACCOUNT, ...changes }, callProvider });

test('threat 18: a reCAPTCHA token sent four times gives one pass, which opens one run', async () => {
  const api = await openApi(() => Promise.resolve(JSON.stringify(buildReply({}, Date.now()))));

  const replies = await Promise.all([1, 2, 3, 4].map(() => handIn(api, 'a token')));
  expect(replies.sort()).toEqual(['false', 'false', 'false', 'true']);
  expect(await handIn(api, 'a token', { hwid: 'device-5678' })).toBe('false');
  expect(await api.db.selectFrom('captchaPass').select('provider').execute()).toEqual([{ provider: 'recaptcha' }]);
  expect(await clickComplete(api)).toContain('/dev/advertiser/');
});

test('the challenge route is missing when the captcha has a widget of its own', async () => {
  const api = await openApi(() => Promise.resolve('{}'));
  const res = await api.ask(`/api/captcha/challenge?hwid=${HWID}&os=ios`);

  expect([res.status, await res.json()]).toMatchObject([
    404,
    { code: 'route.not_found', detail: 'The captcha of this site brings its own puzzles.' },
  ]);
});

test('threat 12: a captcha answers 503 with Retry-After when the provider does not answer, and logs no secret', async () => {
  const api = await openApi(() => Promise.resolve('{"success":false,"error-codes":["invalid-input-secret"]}'));
  const body = { 'g-recaptcha-response': 'a-secret-token', hwid: HWID, OS: 'android', advertiser: 'rinku' };
  const res = await api.post('/api/v2/verify-captcha', body);

  expect([res.status, await res.text(), res.headers.get('retry-after')]).toEqual([503, 'error', '5']);
  expect(await api.db.selectFrom('captchaPass').selectAll().execute()).toEqual([]);
  expect(api.logged.join('')).toContain('provider unavailable');
  expect(api.logged.join('')).not.toMatch(new RegExp(`${ACCOUNT.secret}|a-secret-token`));
});

test('a captcha answers 500 when another error occurs than that of the provider', async () => {
  const api = await openApi(() => Promise.reject(new Error('a mistake')));

  expect(JSON.parse(await handIn(api, 'a token'))).toMatchObject({ status: 500 });
});

test('the content security policy allows the script and frame of reCAPTCHA only when it is the captcha of the site', async () => {
  const policyOf = async (api: Awaited<ReturnType<typeof createTestApi>>) =>
    (await api.ask('/healthz')).headers.get('content-security-policy') ?? '';
  const withIt = await policyOf(await openApi(() => Promise.resolve(''), { origin: 'https://www.google.com' }));
  const without = await policyOf(await createTestApi());

  expect(withIt).toMatch(
    /script-src 'self'(?: 'sha256-\S+')+ https:\/\/www\.google\.com\/recaptcha\/ https:\/\/www\.gstatic\.com\/recaptcha\/;/,
  );
  expect(withIt).toMatch(
    /frame-src [^;]* https:\/\/www\.google\.com\/recaptcha\/ https:\/\/recaptcha\.google\.com\/recaptcha\/;/,
  );
  expect(without).toMatch(/script-src 'self'(?: 'sha256-\S+')+;/);
  expect(without).not.toMatch(/google|gstatic/);
});

const SETTINGS = { CAPTCHA_PROVIDER: 'recaptcha', RECAPTCHA_SITE_KEY: 'site-key', RECAPTCHA_SECRET: 'secret' } as const;
const read = (changes: Partial<Env> = {}) => readRecaptchaAccount({ ...SETTINGS, ...changes } as Env);

test('the reCAPTCHA account is read from the settings, and its host defaults to that of the site', () => {
  const account = { siteKey: 'site-key', secret: 'secret', hostnames: ['localhost'], origin: 'https://www.google.com' };

  expect(read()).toEqual(account);
  expect(read({ BASE_URL: 'https://site.example:8443/' })).toEqual({ ...account, hostnames: ['site.example'] });
  expect(read({ BASE_URL: 'https://site.example', RECAPTCHA_HOSTNAMES: ['www.site.example'] })).toEqual({
    ...account,
    hostnames: ['www.site.example'],
  });
  expect(read({ TEST_RECAPTCHA_ORIGIN: 'http://127.0.0.1:1' })).toEqual({ ...account, origin: 'http://127.0.0.1:1' });
  for (const changes of [
    { CAPTCHA_PROVIDER: 'altcha' },
    { RECAPTCHA_SITE_KEY: undefined },
    { RECAPTCHA_SECRET: undefined },
  ])
    expect(read(changes as Partial<Env>)).toBeUndefined();
});

test('pages receive the captcha script to load and not the secret', () => {
  expect(presentCaptcha(undefined)).toEqual({ provider: 'altcha' });
  expect(presentCaptcha(read())).toEqual({
    provider: 'recaptcha',
    siteKey: 'site-key',
    scriptUrl: 'https://www.google.com/recaptcha/api.js?render=explicit',
  });
});
