import type { Challenge } from 'altcha-lib';
import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { handIn, HWID, clickComplete, solveCaptcha } from '#api/test/product/visitor-steps.ts';

test('a solved challenge answers exactly "true" as plain text', async () => {
  const api = await createTestApi();
  const token = await solveCaptcha(api);

  const res = await api.post('/api/v2/verify-captcha', {
    'g-recaptcha-response': token,
    hwid: HWID,
    OS: 'Android',
    advertiser: 'rinku',
  });

  expect(res.status).toBe(200);
  expect(res.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await res.text()).toBe('true');
  expect(await api.db.selectFrom('captchaPass').select(['provider', 'os', 'advertiser']).execute()).toEqual([
    { provider: 'altcha', os: 'android', advertiser: 'rinku' },
  ]);
});

test('threat 18: a captcha solution gives one pass, for its own device and system only', async () => {
  const api = await createTestApi();
  const token = await solveCaptcha(api);

  expect(await handIn(api, token, { hwid: 'another-device' })).toBe('false');
  expect(await handIn(api, token, { os: 'ios' })).toBe('false');
  const replies = await Promise.all([1, 2, 3, 4].map(() => handIn(api, token)));
  expect(replies.sort()).toEqual(['false', 'false', 'false', 'true']);
  expect(await api.db.selectFrom('captchaPass').selectAll().execute()).toHaveLength(1);
});

test('threat 18: an expired captcha pass opens no run, and its TTL is a setting', async () => {
  const api = await createTestApi({ limits: { ...DEFAULT_LIMITS, captchaPassMs: 60_000 } });
  await handIn(api, await solveCaptcha(api));
  api.pass(60_000);

  expect(await clickComplete(api)).toContain('e=KS_CAPTCHA');
});

test('a challenge requires a thousand iterations by default', async () => {
  const api = await createTestApi({ captchaCost: undefined });
  const { parameters } = (await (await api.ask(`/api/captcha/challenge?hwid=${HWID}&os=ios`)).json()) as Challenge;

  expect([parameters.algorithm, parameters.cost]).toEqual(['PBKDF2/SHA-256', 1000]);
});

test('a challenge requires a random number of 500 to 1500 rounds', async () => {
  const limits = { ...DEFAULT_LIMITS, challengesPerMinute: 100 };
  const api = await createTestApi({ limits, captchaRounds: undefined });
  const rounds = [];
  for (let times = 0; times < 30; times++) rounds.push(readSolution(await solveCaptcha(api)).counter);

  // Thirty random numbers are hardly ever all far from one end.
  expect(Math.min(...rounds)).toBeGreaterThanOrEqual(500);
  expect(Math.min(...rounds)).toBeLessThan(900);
  expect(Math.max(...rounds)).toBeGreaterThan(1100);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(1500);
});

test('threat 18: a challenge expires after five minutes', async () => {
  const api = await createTestApi();
  const at = Math.floor(api.now() / 1000) * 1000;
  api.pass(at - api.now());
  const [inTime, late] = [await solveCaptcha(api), await solveCaptcha(api)];

  api.pass(5 * 60_000 - 1);
  expect(await handIn(api, inTime)).toBe('true');
  api.pass(1);
  expect(await handIn(api, late)).toBe('false');
});

test.each([
  { why: 'no JSON', body: '{' },
  { why: 'a list as device', body: JSON.stringify({ 'g-recaptcha-response': 'x', hwid: ['a'], OS: 'ios' }) },
  {
    why: 'an advertiser that no database takes',
    body: JSON.stringify({ 'g-recaptcha-response': 'x', hwid: HWID, OS: 'ios', advertiser: 'rinku\0' }),
  },
  { why: 'no content', body: null },
  {
    why: 'another type',
    body: `g-recaptcha-response=x&hwid=${HWID}&OS=ios`,
    type: 'application/x-www-form-urlencoded',
  },
  { why: 'no token', body: JSON.stringify({ hwid: HWID, OS: 'ios' }) },
  {
    why: 'a device id that many devices share',
    body: JSON.stringify({ 'g-recaptcha-response': 'x', hwid: 'unknown', OS: 'ios' }),
  },
  {
    why: 'too many bytes',
    body: JSON.stringify({ 'g-recaptcha-response': 'x'.repeat(20_000), hwid: HWID, OS: 'ios' }),
  },
])('a captcha body with $why answers 400 and "false"', async ({ body, type = 'application/json' }) => {
  const api = await createTestApi();

  const res = await api.ask('/api/v2/verify-captcha', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });

  expect(res.status).toBe(400);
  expect(await res.text()).toBe('false');
});

test('a request for a challenge without a device is rejected', async () => {
  const api = await createTestApi();

  const res = await api.ask('/api/captcha/challenge?hwid=&os=ios');

  expect(res.status).toBe(400);
  expect(await res.json()).toMatchObject({ code: 'KS_HWID' });
});

test.each([
  { asked: 'ios', handedIn: 'iOS' },
  { asked: 'a system that we do not know', handedIn: 'Android' },
  { asked: 'android', handedIn: 'a system that we do not know' },
])('a challenge requested for $asked is accepted for $handedIn', async ({ asked, handedIn }) => {
  const api = await createTestApi();

  expect(await handIn(api, await solveCaptcha(api, { os: asked }), { os: handedIn })).toBe('true');
});

test('a challenge costs more when many runs start from one network', async () => {
  const api = await createTestApi({
    captchaCost: 2,
    limits: { ...DEFAULT_LIMITS, networkStartsPerHour: { soft: 0, hard: 4 }, captchaCostFactor: 3 },
  });
  const { parameters } = (await (await api.ask(`/api/captcha/challenge?hwid=${HWID}`)).json()) as Challenge;

  expect(parameters.cost).toBe(6);
});

test('challenges and solutions have separate rate limits per device', async () => {
  const api = await createTestApi({ limits: { ...DEFAULT_LIMITS, challengesPerMinute: 1, captchasPerMinute: 1 } });
  const ask = (hwid: string) => api.ask(`/api/captcha/challenge?hwid=${hwid}`);
  const answer = (hwid: string) => api.post('/api/v2/verify-captcha', { hwid });

  expect((await ask(HWID)).headers.get('ratelimit')).toMatch(/"challenge"; r=0;.*"challenge-address"/);
  expect((await ask(HWID)).status).toBe(429);
  expect((await ask('device-5678')).status).toBe(200);

  expect((await answer(HWID)).headers.get('ratelimit')).toMatch(/"captcha"; r=0;.*"captcha-address"/);
  const refused = await answer(HWID);
  expect([refused.status, await refused.text()]).toEqual([429, 'false']);
  expect((await answer('device-5678')).status).toBe(400);
});

test('the captcha answers 405 to other methods', async () => {
  const api = await createTestApi();
  const answers = [await api.post('/api/captcha/challenge', {}), await api.ask('/api/v2/verify-captcha')];

  expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'GET, HEAD'],
    [405, 'POST'],
  ]);
});

function readSolution(token: string): { counter: number } {
  return (JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as { solution: { counter: number } }).solution;
}
