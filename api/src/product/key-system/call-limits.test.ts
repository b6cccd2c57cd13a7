import { describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { speakAs, takeCookie } from '#api/test/speak-as.ts';
import {
  finishAtAdvertiser,
  HWID,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  requireLocation,
  walkRun,
  WHO,
} from '#api/test/product/visitor-steps.ts';
import { DEFAULT_LIMITS, type Limits } from '#api/product/limits/limits.ts';

const MINUTE = 60_000;

describe('many devices from one network', () => {
  const limits: Limits = { ...DEFAULT_LIMITS, networkStartsPerHour: { soft: 2, hard: 4 } };
  const costFor = async (api: TestApi, hwid: string) =>
    ((await (await api.ask(`/api/captcha/challenge?hwid=${hwid}`)).json()) as { parameters: { cost: number } })
      .parameters.cost;
  const start = async (api: TestApi, hwid: string) => {
    await passCaptcha(api, { hwid });
    return clickComplete(api, { hwid });
  };

  test('threat 15: pay more for the captcha, and one by one still finish', async () => {
    const api = await createTestApi({ limits, captchaCost: 2 });
    for (const hwid of ['rotated-1', 'rotated-2']) {
      expect(await costFor(api, hwid)).toBe(2);
      await start(api, hwid);
    }

    expect(await costFor(api, HWID)).toBe(8);
    await walkRun(api, { companion: true });
    expect((await api.ask(`/api/key?${WHO}&app=companion`)).status).toBe(200);
  });

  test('threat 15: beyond the hard limit none begins, while those that have begun and other networks go on', async () => {
    const api = await createTestApi({ limits, trustedHops: 1 });
    const busy = speakAs(api, { address: '203.0.113.9' });
    for (let count = 1; count <= 4; count++) await start(busy, `rotated-${String(count)}`);

    const until = encodeURIComponent(new Date(api.now() + 60 * MINUTE).toISOString());
    expect(await start(busy, 'rotated-5')).toContain(`e=KS_LIMIT&until=${until}`);
    expect(await clickComplete(busy, { hwid: 'rotated-1' })).toContain('/dev/advertiser/');
    expect(await start(speakAs(api, { address: '198.51.100.7' }), 'elsewhere-1')).toContain('/dev/advertiser/');
    api.pass(60 * MINUTE);
    expect(await start(busy, 'rotated-5')).toContain('/dev/advertiser/');
  });
});

test('captchas are taken ten times a minute for a device, then the answer is a plain false', async () => {
  const api = await createTestApi();
  const handIn = (hwid: string) =>
    api.post('/api/v2/verify-captcha', { 'g-recaptcha-response': 'x', hwid, OS: 'android', advertiser: null });
  for (let tries = 0; tries < 10; tries++) expect((await handIn(HWID)).status).toBe(200);

  const refused = await handIn(HWID);
  expect([refused.status, await refused.text(), refused.headers.get('retry-after')]).toEqual([429, 'false', '60']);
  expect((await handIn('device-5678')).status).toBe(200);
});

test('a client that invents tickets is slowed down, and a neighbour behind the same address comes back as usual', async () => {
  const api = await createTestApi({ limits: { ...DEFAULT_LIMITS, unknownReturnsPerMinute: 2 } });
  await passCaptcha(api);
  const link = await clickComplete(api);
  api.pass(LONG_ENOUGH_MS);
  const invent = () => api.visit(`/api/keysystem/return/${'x'.repeat(43)}`);

  expect([(await invent()).status, (await invent()).status, (await invent()).status]).toEqual([303, 303, 429]);
  expect(requireLocation(await api.visit(await finishAtAdvertiser(api, link)))).toContain('/key-system-2');
});

test('a state is told thirty times a minute, then the answer says how long to wait', async () => {
  const api = await createTestApi();
  const ask = () => api.ask(`/api/keysystem/state?${WHO}`);
  for (let asked = 0; asked < 30; asked++) expect((await ask()).status).toBe(200);

  const refused = await ask();
  expect([
    refused.status,
    refused.headers.get('retry-after'),
    ((await refused.json()) as { code: string }).code,
  ]).toEqual([429, '60', 'KS_LIMIT']);
  expect((await api.ask('/api/keysystem/state?hwid=device-5678&zone=z')).status).toBe(200);
});

test('the cookie is for this host alone, out of reach of scripts, and given once', async () => {
  const api = await createTestApi();
  const res = await api.visit(`/api/keysystemv2?${WHO}&step=2`);

  expect(res.headers.get('set-cookie')).toMatch(
    /^__Host-v=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const again = await speakAs(api, { cookie: await takeCookie(api) }).visit(`/api/keysystemv2?${WHO}&step=2`);
  expect(again.headers.get('set-cookie')).toBeNull();
});

test('a program that asks for JSON gets a mistake as a problem', async () => {
  const api = await createTestApi();
  const res = await api.visit('/api/keysystemv2?hwid=x', {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    accept: 'application/json',
  });

  expect([res.status, ((await res.json()) as { code: string }).code]).toEqual([400, 'KS_HWID']);
});
