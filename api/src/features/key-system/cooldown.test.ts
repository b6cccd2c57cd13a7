import { describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import { openBrowser, speakAs, takeCookie } from '#api/test/speak-as.ts';
import {
  finishAtAdvertiser,
  HWID,
  LONG_ENOUGH_MS,
  passCaptcha,
  pressComplete,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  ZONE,
} from '#api/test/visitor-steps.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';

const MINUTE = 60_000;
const WHO = `hwid=${HWID}&zone=${ZONE}`;

/** Comes back with a proof that the advertiser does not confirm, so many times. */
async function earnStrikes(api: TestApi, count: number): Promise<void> {
  for (let strikes = 0; strikes < count; strikes++) {
    expect(await walkStep(api, {}, 'wrong_proof')).toContain('r=KS_PROOF');
  }
}

async function openApi(options: Parameters<typeof createTestApi>[0] = {}) {
  const api = await createTestApi(options);
  await passCaptcha(api);
  return api;
}

describe('three strikes', () => {
  test('lead to a page that says why and until when, and to an app that hears the same', async () => {
    const api = await openApi();
    await earnStrikes(api, 3);
    const until = api.now() + 15 * MINUTE;

    expect(await pressComplete(api)).toBe(
      `/key-system-bypass?${WHO}&r=KS_COOLDOWN&until=${encodeURIComponent(new Date(until).toISOString())}`,
    );
    expect(await readState(api)).toMatchObject({ run: { step: 1 }, cooldown: { until, reason: 'KS_COOLDOWN' } });
    const asked = await api.ask(`/api/key?${WHO}`);
    expect([asked.status, await asked.json()]).toEqual([
      403,
      { status: 'blocked', until, reason: 'KS_COOLDOWN', app: 'main', now: api.now() },
    ]);
  });

  test('are over after a quarter of an hour, and the run goes on where it was', async () => {
    const api = await openApi();
    await walkStep(api);
    await earnStrikes(api, 3);

    api.pass(15 * MINUTE);
    expect(await walkStep(api, { step: 2 })).toBe(`/key-system-3?${WHO}&advertiser=linkvertise`);
  });

  test('do not take away what was proven already: a ticket that is out comes back good', async () => {
    const api = await openApi();
    const link = await pressComplete(api);
    await earnStrikes(api, 2);
    await earnStrikes(api, 1);
    const address = await finishAtAdvertiser(api, link);

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  });
});

test('the fifth strike means a day', async () => {
  const api = await openApi();
  await earnStrikes(api, 3);
  api.pass(15 * MINUTE);
  await earnStrikes(api, 1);
  api.pass(15 * MINUTE);
  await earnStrikes(api, 1);

  const { cooldown } = (await readState(api)) as { cooldown: { until: number } };
  expect(cooldown.until).toBe(api.now() + 24 * 60 * MINUTE);
});

test('fifty returns at once with a wrong proof are one strike', async () => {
  const api = await openApi();
  const link = await pressComplete(api);
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link, 'wrong_proof');

  await Promise.all(Array.from({ length: 50 }, () => api.visit(address)));

  expect(await api.db.selectFrom('strike').select(['code', 'weight']).execute()).toEqual([
    { code: 'KS_PROOF', weight: 1 },
  ]);
});

describe('what never counts', () => {
  test('reload, back, a double click, an expired link, a replaced tab and an unknown ticket', async () => {
    const api = await openApi();
    const link = await pressComplete(api);
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);
    await Promise.all([api.visit(address), api.visit(address)]);
    for (let reloads = 0; reloads < 3; reloads++) await api.visit(address);

    const left = await pressComplete(api, { step: 2 });
    api.pass(15 * MINUTE);
    await api.visit(await finishAtAdvertiser(api, left));
    await api.visit(`/api/keysystem/return/${'a'.repeat(43)}`);

    expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  });

  test('row 12: an advertiser that is down', async () => {
    const api = await openApi({ callProvider: () => Promise.resolve('garbage') });
    const link = await pressComplete(api);
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);

    expect(requireLocation(await api.visit(address))).toContain('e=KS_PROVIDER_DOWN');
    expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  });

  test('row 1, row 13: a later page or a later step opened directly', async () => {
    const api = await openApi();
    await walkStep(api);

    expect(await pressComplete(api, { step: 5 })).toContain('/key-system-2?');
    expect(await readState(api)).toMatchObject({ run: { step: 2 }, cooldown: null });
  });
});

describe('whose strikes', () => {
  test('row 16: who strikes another’s device waits alone; its owner goes on, even from the same network', async () => {
    const api = await createTestApi({ trustProxy: 1 });
    const owner = speakAs(api, { cookie: await takeCookie(api), address: '198.51.100.7' });
    await passCaptcha(owner);
    await walkStep(owner);
    api.pass(1000);
    const attackers = [
      speakAs(api, { cookie: await takeCookie(api), address: '203.0.113.9' }),
      speakAs(api, { address: '198.51.100.8' }),
    ];
    for (const attacker of attackers) await earnStrikes(attacker, 3);

    for (const attacker of attackers) expect(await pressComplete(attacker)).toContain('r=KS_COOLDOWN');
    expect(await walkStep(owner, { step: 2 })).toBe(`/key-system-3?${WHO}&advertiser=linkvertise`);
  });

  test.each(['203.0.113.9', '198.51.100.8'])(
    'row 16: who presses for another’s device, from %s, closes none of its owner’s tabs and uses up none of their tries',
    async (address) => {
      const api = await createTestApi({ trustProxy: 1 });
      const owner = speakAs(api, { cookie: await takeCookie(api), address: '198.51.100.7' });
      await passCaptcha(owner);
      const link = await pressComplete(owner);
      api.pass(1000);
      const attacker = speakAs(api, { address });
      for (let tries = 0; tries < 10; tries++) await pressComplete(attacker);

      expect(await pressComplete(attacker)).toContain('e=KS_LIMIT');
      api.pass(LONG_ENOUGH_MS);
      expect(requireLocation(await owner.visit(await finishAtAdvertiser(owner, link)))).toBe(
        `/key-system-2?${WHO}&advertiser=linkvertise`,
      );
    },
  );

  test('row 16: ten networks together have a hundred tries an hour for a device; the browser that began its run has its own beside them', async () => {
    const api = await createTestApi({ trustProxy: 1 });
    const owner = openBrowser(api, { address: '198.51.100.7' });
    await passCaptcha(owner);
    await pressComplete(owner);
    api.pass(1000);
    const press = (network: number) => pressComplete(speakAs(api, { address: `203.0.${String(network)}.9` }));
    // The owner's first try is one of the hundred.
    for (let tries = 1; tries < 100; tries++) expect(await press(Math.floor(tries / 10))).toContain('/dev/advertiser/');

    expect(await press(10)).toContain('e=KS_LIMIT');
    // Ten for the browser that began the run, of which the first is one.
    for (let tries = 1; tries < 10; tries++) expect(await pressComplete(owner)).toContain('/dev/advertiser/');
    expect(await pressComplete(owner)).toContain('e=KS_LIMIT');
    api.pass(60 * MINUTE - 1);
    expect(await press(10)).toContain('e=KS_LIMIT');
    api.pass(1);
    expect(await press(10)).toContain('/dev/advertiser/');
  });

  test('row 16: a used proof that a stranger brings spoils their own try, not the run', async () => {
    const api = await createTestApi({ trustProxy: 1 });
    const owner = speakAs(api, { address: '198.51.100.7' });
    await passCaptcha(owner);
    await walkStep(owner);

    expect(await walkStep(speakAs(api, { address: '203.0.113.9' }), { step: 2 }, 'same_proof')).toContain('r=KS_REUSE');
    expect(await walkStep(owner, { step: 2 })).toBe(`/key-system-3?${WHO}&advertiser=linkvertise`);
    expect(await walkStep(owner, { step: 3 }, 'same_proof')).toContain('r=KS_REUSE');
    expect(await readState(owner)).toMatchObject({ run: null });
  });

  test('dropping the cookie gains nothing, nor does a fresh one', async () => {
    const api = await createTestApi({ trustProxy: 1 });
    const address = '203.0.113.9';
    const first = speakAs(api, { cookie: await takeCookie(api), address });
    await passCaptcha(first);
    await earnStrikes(first, 3);
    api.pass(1000);

    expect(await pressComplete(speakAs(api, { address }))).toContain('r=KS_COOLDOWN');
    expect(await pressComplete(speakAs(api, { cookie: await takeCookie(api), address }))).toContain('r=KS_COOLDOWN');
    expect(
      await pressComplete(speakAs(api, { cookie: '__Host-v=aaaaaaaaaaaaaaaaaaaaaa.1.' + 'a'.repeat(43), address })),
    ).toContain('r=KS_COOLDOWN');
  });

  test('a fresh cookie, kept from its first strike on, does not stop the counting', async () => {
    const api = await createTestApi({ trustProxy: 1 });
    const address = '203.0.113.9';
    await passCaptcha(speakAs(api, { address }));
    await earnStrikes(speakAs(api, { address }), 2);
    const fresh = speakAs(api, { cookie: await takeCookie(api), address });
    api.pass(1000);
    await earnStrikes(fresh, 1);

    expect(await pressComplete(fresh)).toContain('r=KS_COOLDOWN');
    expect(await pressComplete(speakAs(api, { cookie: await takeCookie(api), address }))).toContain('r=KS_COOLDOWN');
  });

  test('row 33: a forged X-Forwarded-For does not make another network', async () => {
    const direct = await openApi();
    await earnStrikes(direct, 3);
    expect(await pressComplete(speakAs(direct, { address: '203.0.113.9' }))).toContain('r=KS_COOLDOWN');

    const proxied = await createTestApi({ trustProxy: 1 });
    const attacker = speakAs(proxied, { address: '203.0.113.9' });
    await passCaptcha(attacker);
    await earnStrikes(attacker, 3);
    // The proxy of ours adds the last address; what comes before it is the client's own invention.
    expect(await pressComplete(speakAs(proxied, { address: '198.51.100.1, 203.0.113.9' }))).toContain('r=KS_COOLDOWN');
  });
});

describe('many devices from one network', () => {
  const limits: Limits = { ...DEFAULT_LIMITS, networkStartsPerHour: { soft: 2, hard: 4 } };
  const costFor = async (api: TestApi, hwid: string) =>
    ((await (await api.ask(`/api/captcha/challenge?hwid=${hwid}`)).json()) as { parameters: { cost: number } })
      .parameters.cost;
  const start = async (api: TestApi, hwid: string) => {
    await passCaptcha(api, { hwid });
    return pressComplete(api, { hwid });
  };

  test('row 15: pay more for the captcha, and one by one still finish', async () => {
    const api = await createTestApi({ limits, captchaCost: 2 });
    for (const hwid of ['rotated-1', 'rotated-2']) {
      expect(await costFor(api, hwid)).toBe(2);
      await start(api, hwid);
    }

    expect(await costFor(api, HWID)).toBe(8);
    await walkRun(api, { companion: true });
    expect((await api.ask(`/api/key?${WHO}&app=companion`)).status).toBe(200);
  });

  test('row 15: beyond the hard limit none begins, while those that have begun and other networks go on', async () => {
    const api = await createTestApi({ limits, trustProxy: 1 });
    const busy = speakAs(api, { address: '203.0.113.9' });
    for (let count = 1; count <= 4; count++) await start(busy, `rotated-${String(count)}`);

    const until = encodeURIComponent(new Date(api.now() + 60 * MINUTE).toISOString());
    expect(await start(busy, 'rotated-5')).toContain(`e=KS_LIMIT&until=${until}`);
    expect(await pressComplete(busy, { hwid: 'rotated-1' })).toContain('/dev/advertiser/');
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

test('whoever invents tickets is slowed down, and a neighbour behind the same address comes back as ever', async () => {
  const api = await openApi({ limits: { ...DEFAULT_LIMITS, unknownReturnsPerMinute: 2 } });
  const link = await pressComplete(api);
  api.pass(LONG_ENOUGH_MS);
  const invent = () => api.visit(`/api/keysystem/return/${'x'.repeat(43)}`);

  expect([(await invent()).status, (await invent()).status, (await invent()).status]).toEqual([303, 303, 429]);
  expect(requireLocation(await api.visit(await finishAtAdvertiser(api, link)))).toContain('/key-system-2');
});

describe('an operator’s block', () => {
  test('ends starts, keys and returns alike, for as long as it lasts', async () => {
    const api = await openApi();
    const link = await pressComplete(api);
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);
    await api.db.updateTable('device').set({ blockReason: 'abuse' }).execute();
    await api.db.updateTable('run').set({ state: 'blocked' }).execute();

    expect(await pressComplete(api)).toBe(`/key-system-bypass?${WHO}&r=KS_BLOCKED`);
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-bypass?${WHO}&r=KS_BLOCKED`);
    expect((await api.ask(`/api/key?${WHO}`)).status).toBe(403);
  });

  test('keeps back a key that is there already', async () => {
    const api = await createTestApi();
    await walkRun(api);
    const until = api.now() + 60 * MINUTE;
    await api.db.updateTable('device').set({ blockReason: 'abuse', blockedUntil: until }).execute();

    const asked = await api.ask(`/api/key?${WHO}`);
    expect([asked.status, await asked.json()]).toEqual([
      403,
      { status: 'blocked', until, reason: 'KS_BLOCKED', app: 'main', now: api.now() },
    ]);
    api.pass(60 * MINUTE);
    expect((await api.ask(`/api/key?${WHO}`)).status).toBe(200);
  });
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
