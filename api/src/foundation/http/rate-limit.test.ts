import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createTestApi, OWN_NAVIGATION, type TestApi } from '#api/test/create-test-api.ts';
import { HWID } from '#api/test/product/visitor-steps.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OTHER_HWID = 'device-5678';

/** The headers of a request whose address our own proxy reports. */
const from = (address: string) => ({ 'x-forwarded-for': address });

function post(api: TestApi, path: string, body: object, headers: Record<string, string> = {}) {
  return api.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const handIn = (hwid: unknown) => ({ 'g-recaptcha-response': 'x', hwid, OS: 'android', advertiser: null });

type Ask = (api: TestApi, hwid: string) => Promise<Response>;

const askState: Ask = (api, hwid) => api.ask(`/api/keysystem/state?hwid=${hwid}`);

const CALLS: [call: string, max: number, windowMs: number, ask: Ask][] = [
  ['the state of a run', 30, MINUTE, askState],
  ['a captcha', 20, MINUTE, (api, hwid) => api.ask(`/api/captcha/challenge?hwid=${hwid}`)],
  ['whether a captcha is solved', 10, MINUTE, (api, hwid) => post(api, '/api/v2/verify-captcha', handIn(hwid))],
  ['a key', 120, MINUTE, (api, hwid) => api.ask(`/api/key?hwid=${hwid}`)],
  ['whether a key is good', 60, MINUTE, (api, hwid) => post(api, '/api/key/verify', { key: 'x', hwid })],
  ['a payment', 10, HOUR, (api, hwid) => api.visit(`/api/create-payment?hwid=${hwid}&mode=1`, { ...OWN_NAVIGATION })],
  ['a reset', 3, DAY, (api, name) => post(api, '/api/requestresetdevices', { email: `${name}@mail.example` })],
];

test.each(CALLS)('%s is answered %i times in %i ms, then rejected for the rest of that period', async (...limit) => {
  const [, max, windowMs, ask] = limit;
  const api = await createTestApi();
  const answers = await Promise.all(Array.from({ length: 3 * max }, () => ask(api, HWID)));
  expect(answers.filter(({ status }) => status !== 429)).toHaveLength(max);
  api.pass(20_000);

  const refused = await ask(api, HWID);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String((windowMs - 20_000) / 1000)]);
  expect((await ask(api, OTHER_HWID)).status).not.toBe(429);
  api.pass(windowMs - 20_000);
  expect((await ask(api, HWID)).status).not.toBe(429);
});

test('a 429 response has the retry time in the problem and in the headers', async () => {
  const api = await createTestApi({ limits: { ...DEFAULT_LIMITS, statesPerMinute: 1 } });
  const ask = () => api.ask(`/api/keysystem/state?hwid=${HWID}`);

  const { headers } = await ask();
  expect(headers.get('ratelimit')).toMatch(/^"state"; r=0; t=60, "state-address"; r=5999; t=60$/);
  expect(headers.get('ratelimit-policy')).toMatch(
    /^"state"; q=1; w=60; pk=:[\w=]+:, "state-address"; q=6000; w=60; pk=:[\w=]+:$/,
  );
  api.pass(10_000);
  expect(await (await ask()).json()).toMatchObject({
    code: 'KS_LIMIT',
    status: 429,
    retryable: true,
    until: api.now() + 50_000,
  });
});

describe('each call is counted for its device', () => {
  test('a device in the query is ignored beside one in the body', async () => {
    const api = await createTestApi();
    const statuses = [];
    for (let asked = 0; asked <= 10; asked++)
      statuses.push((await post(api, `/api/v2/verify-captcha?hwid=made-up-${String(asked)}`, handIn(HWID))).status);

    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  test.each([
    { why: 'sixteen kilobytes long', hwid: 'x'.repeat(15_000) },
    { why: 'a list', hwid: [HWID] },
    { why: 'none', hwid: undefined },
  ])('a device that is $why is rejected before it is counted', async ({ hwid }) => {
    const api = await createTestApi({ limits: { ...DEFAULT_LIMITS, captchasPerMinute: 1, keyChecksPerMinute: 1 } });

    for (let asked = 0; asked < 3; asked++) {
      const answer = await post(api, '/api/v2/verify-captcha', handIn(hwid));
      expect([answer.status, await answer.text(), answer.headers.get('ratelimit')]).toEqual([400, 'false', null]);
      expect((await post(api, '/api/key/verify', { key: 'x', hwid })).status).toBe(400);
    }
  });
});

describe('counted together', () => {
  const limits = {
    ...DEFAULT_LIMITS,
    perAddress: { ...DEFAULT_LIMITS.perAddress, reads: 3, captchas: 3, payments: 3, readiness: 3, mails: 3 },
  };

  type AskFrom = (api: TestApi, from: { headers: Record<string, string> }, device: string) => Promise<Response>;
  const OF_ADDRESS: [string, AskFrom][] = [
    ['keys', (api, init, device) => api.ask(`/api/key?hwid=${device}`, init)],
    ['captchas', (api, init, device) => api.ask(`/api/captcha/challenge?hwid=${device}`, init)],
    ['states', (api, init, device) => api.ask(`/api/keysystem/state?hwid=${device}`, init)],
    ['key checks', (api, { headers }, hwid) => post(api, '/api/key/verify', { key: 'x', hwid }, headers)],
    ['purchases', (api, { headers }) => post(api, '/api/latest-purchase', {}, headers)],
    ['readiness', (api, init) => api.ask('/readyz', init)],
  ];

  test.each(OF_ADDRESS)(
    '%s of one address are counted together for any number of devices, where an IPv6 address counts as its /64',
    async (_, askFrom) => {
      const ask = (of: TestApi, nth: number, address: string) =>
        askFrom(of, { headers: from(address) }, `device-${nth}`);
      const api = await createTestApi({ limits, trustedHops: 1 });
      for (let nth = 1; nth <= 3; nth++) expect((await ask(api, nth, '203.0.113.1')).status).toBe(200);
      for (let nth = 1; nth <= 3; nth++)
        expect((await ask(api, nth, `2001:db8:0:1:${String(nth)}::1`)).status).toBe(200);

      expect((await ask(api, 4, '203.0.113.1')).status).toBe(429);
      expect((await ask(api, 4, '2001:db8:0:1:ffff::4')).status).toBe(429);
      expect((await ask(api, 4, '203.0.113.2')).status).toBe(200);
      expect((await ask(api, 4, '2001:db8:0:2::1')).status).toBe(200);
    },
  );

  test.each([
    { call: 'readiness', ask: (api: TestApi, from: object) => api.ask('/readyz', from) },
    { call: 'states', ask: (api: TestApi, from: object) => api.ask(`/api/keysystem/state?hwid=${HWID}`, from) },
    {
      call: 'states of ever new devices',
      ask: (api: TestApi, from: object, nth: number) => api.ask(`/api/keysystem/state?hwid=device-${nth}`, from),
    },
  ])(
    '$call of one /48 are limited to a share of four, and of one /32 to 32, without rejected requests',
    async ({ ask }) => {
      const api = await createTestApi({ limits: { ...limits, statesPerMinute: 3 }, trustedHops: 1 });
      let asked = 0;
      const statusOf = async (address: string) => (await ask(api, { headers: from(address) }, asked++)).status;
      const fill = async (customer: number, times: number) => {
        for (let nth = 0; nth < times; nth++)
          expect(await statusOf(`2001:db8:${customer}:${nth % 4}::1`), `${customer}: ${nth}`).toBe(200);
      };

      await fill(0, 11);
      for (let more = 0; more < 100; more++) expect(await statusOf('2001:db8:0:1::1')).toBe(429);
      expect(await statusOf('2001:db8:0:9::1')).toBe(200);
      expect(await statusOf('2001:db8:0:10::1')).toBe(429);
      for (let customer = 1; customer < 8; customer++) await fill(customer, 12);
      expect(await statusOf('2001:db8:8::1')).toBe(429);
      expect(await statusOf('2001:db9::1')).toBe(200);
    },
  );

  test('threat 62: payments of one /48 are limited to 240 in an hour, for any number of devices', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const begin = async (nth: number, customer = 0) => {
      const headers = { ...OWN_NAVIGATION, ...from(`2001:db8:${customer}:${nth}::1`) };
      return (await api.visit(`/api/create-payment?hwid=device-${nth}&zone=z&mode=1`, headers)).status;
    };
    const statuses = await Promise.all(Array.from({ length: 300 }, (_, nth) => begin(nth)));

    expect(statuses.filter((status) => status !== 429)).toHaveLength(240);
    expect(await begin(0, 1)).toBe(303);
    api.pass(HOUR);
    expect(await begin(0)).toBe(303);
  });

  test('requests for one mailbox from all networks of one /32 are limited to eight times the limit of a /48', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const ask = async (address: string) =>
      (await post(api, '/api/requestresetdevices', { email: 'ada@example.com' }, from(address))).status;
    const ALLOWED = [404, 404, 404, 429];

    for (let customer = 0; customer < 8; customer++) {
      const statuses = [];
      for (const subnet of [1, 2, 3, 4]) statuses.push(await ask(`2001:db8:${customer}:${subnet}::1`));
      expect(statuses).toEqual(ALLOWED);
    }
    expect(await ask('2001:db8:8::1')).toBe(429);
    expect(await ask('2001:db9::1')).toBe(404);
  });

  test('requests for one device are counted together across addresses of the same /64', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const ask = (host: number) =>
      post(api, '/api/v2/verify-captcha', handIn(HWID), from(`2001:db8:0:1::${host.toString(16)}`));
    for (let host = 1; host <= 10; host++) expect((await ask(host)).status).toBe(200);

    expect((await ask(11)).status).toBe(429);
  });

  test('mails of one address are limited to sixty in a minute for any mailboxes, apart from its neighbours', async () => {
    const api = await createTestApi({ trustedHops: 1 });
    const ask = (mailbox: number, address: string) =>
      post(api, '/api/requestresetdevices', { email: `${String(mailbox)}@mail.example` }, from(address));
    for (let mailbox = 0; mailbox < 60; mailbox++) expect((await ask(mailbox, '203.0.113.1')).status).toBe(404);

    const refused = await ask(60, '203.0.113.1');
    expect([refused.status, refused.headers.get('content-type'), refused.headers.get('retry-after')]).toEqual([
      429,
      'text/plain; charset=utf-8',
      '60',
    ]);
    expect((await ask(61, '203.0.113.2')).status).toBe(404);
    api.pass(MINUTE);
    expect((await ask(62, '203.0.113.1')).status).toBe(404);
  });

  test('resets of one mailbox are counted together, however it is spelled', async () => {
    const api = await createTestApi();
    const statuses = [];
    for (const email of ['ada@mail.example', 'Ada@Mail.example', ' ADA@MAIL.EXAMPLE ', 'aDa@mail.example'])
      statuses.push((await post(api, '/api/requestresetdevices', { email })).status);

    expect(statuses).toEqual([404, 404, 404, 429]);
  });
});

test('a large group behind one address, whose apps poll their keys every few seconds, stays within the limits', async () => {
  const api = await createTestApi();
  const players = Array.from({ length: 150 }, (_, nth) => `player-${String(nth)}`);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(players.map((player) => api.ask(`/api/key?hwid=${player}`)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    api.pass(3000);
  }
});

test('a server that is not ready sends a Retry-After', async () => {
  const api = await createTestApi({ stopping: AbortSignal.abort() });

  const { status, headers } = await api.ask('/readyz');
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
});
