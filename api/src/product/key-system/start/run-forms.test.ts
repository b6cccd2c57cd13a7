import { expect, test } from 'vitest';
import { addApp, type RegisteredApp } from '#api/product/apps/change-apps.ts';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { OWN_NAVIGATION, type TestApi } from '#api/test/create-test-api.ts';
import {
  clickComplete,
  earnStrikes,
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  openApi,
  requireLocation,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';
import { blockDevices } from '#api/product/key-system/block-devices.ts';

const ownFormHeaders = ({ origin }: TestApi) => ({ ...OWN_NAVIGATION, origin });

/** Sends the form of a page, as a browser does that runs no script. */
function send(api: TestApi, path: string, body = '', headers: Record<string, string> = ownFormHeaders(api)) {
  const form = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  return api.visit(path, { ...form, ...headers, 'content-length': String(body.length) }, 'POST', body);
}

const linkIn = (page: string) => /<a class="action" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

test.each([
  [`/key-system-2?${WHO}`, '', 'keysystemv2?hwid=device-1234&zone=zone-1&step=2'],
  [
    `/key-system-2?${WHO}&os=ios&advertiser=workink`,
    '',
    'keysystemv2?hwid=device-1234&advertiser=workink&os=ios&zone=zone-1&step=2',
  ],
  [
    `/key-system-6?${WHO}&advertiser=linkvertise`,
    'advertiser=lootlabs',
    'keysystemv2?hwid=device-1234&advertiser=lootlabs&zone=zone-1&step=6',
  ],
  ['/key-system-3?hwid=device-1234&os=beos', 'advertiser=a&advertiser=b', 'keysystemv2?hwid=device-1234&step=3'],
  [`/rosaverx/key-system-3?${WHO}`, '', 'saverobux/keysystem?hwid=device-1234&zone=zone-1&step=3'],
  [`/apps/key-system-2?app=tool&${WHO}`, '', 'apps/tool/keysystem?hwid=device-1234&zone=zone-1&step=2'],
  [`/apps/key-system-2?app=main&${WHO}`, '', 'keysystemv2?hwid=device-1234&zone=zone-1&step=2'],
])('the form of %s sent with “%s” answers with a refresh to the step start', async (path, body, address) => {
  const api = await openApi();
  const answer = await send(api, path, body);
  const page = await answer.text();

  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.headers.get('refresh')).toBe(`0; url=/api/${address}`);
  // Some browsers do not go on by themselves.
  expect(linkIn(page)).toBe(`/api/${address}`);
  expect(page).not.toContain('<script');
});

test.each(['0', 'plan'])(
  'the form of the page “%s”, which is not a step, is not answered with a refresh',
  async (page) => {
    const api = await openApi();
    const answer = await send(api, `/key-system-${page}?${WHO}`);

    expect(answer.headers.get('refresh')).toBeNull();
  },
);

test('a step form only refreshes to the address that starts the step', async () => {
  const api = await openApi();
  await walkStep(api);
  const before = await api.db.selectFrom('stepAttempt').select('id').execute();

  const address = linkIn(await (await send(api, `/key-system-2?${WHO}`, 'advertiser=workink')).text());
  expect(await api.db.selectFrom('stepAttempt').select('id').execute()).toHaveLength(before.length);
  const begun = await api.visit(address);
  expect([begun.status, begun.headers.get('location')]).toEqual([302, expect.stringContaining('/dev/')]);
  expect(await api.db.selectFrom('stepAttempt').select('id').execute()).toHaveLength(before.length + 1);
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a site of the same owner', { 'sec-fetch-site': 'same-site', origin: 'https://other.site.example' }],
])('threat 23: a form of %s asks for confirmation with a form that starts the step', async (_who, from) => {
  const api = await openApi();
  await walkStep(api);

  const answer = await send(api, `/key-system-2?${WHO}`, 'advertiser=workink', { ...OWN_NAVIGATION, ...from });
  const page = await answer.text();
  expect(page).toContain('<h1>Continue to your key?</h1>');
  expect(answer.headers.get('refresh')).toBeNull();
  // Browsers hold the redirect that follows to the policy of the question.
  expect(answer.headers.get('content-security-policy')).not.toContain('form-action');
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(action).toBe('/api/keysystemv2?hwid=device-1234&advertiser=workink&zone=zone-1&step=2');
  expect((await api.visit(action, ownFormHeaders(api), 'POST')).status).toBe(302);
});

test('threat 23: a form without an origin asks for confirmation, and one from a frame or script is rejected with 403', async () => {
  const api = await openApi();
  const ask = async (headers: Record<string, string>, page = 2) =>
    api.visit(`/key-system-${page === 2 ? '2' : 'getkey'}?${WHO}`, headers, 'POST');

  expect(await (await ask({ origin: 'null' })).text()).toContain('Continue to your key?');
  expect(await (await ask({})).text()).toContain('Continue to your key?');
  for (const page of [2, 0]) {
    expect((await ask({ ...ownFormHeaders(api), 'sec-fetch-dest': 'iframe' }, page)).status).toBe(403);
    expect(
      (await ask({ ...ownFormHeaders(api), 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, page)).status,
    ).toBe(403);
    expect((await ask({ ...ownFormHeaders(api), 'sec-purpose': 'prefetch' }, page)).status).toBe(403);
  }
});

test.each([
  ['/key-system-2', 'This link is broken'],
  ['/key-system-2?hwid=%3Cscript%3E&zone=zone-1', 'This link is broken'],
  ['/key-system-2?hwid=device-1234&hwid=device-5678', 'This link is broken'],
  ['/key-system-2?hwid=device-1234&zone=%22', 'This link is broken'],
  ['/key-system-getkey?zone=zone-1', 'This link is broken'],
  [`/apps/key-system-2?app=../main&${WHO}`, 'We don’t know this app'],
  [`/apps/key-system-2?${WHO}`, 'We don’t know this app'],
])('the form of %s answers with an error page', async (path, words) => {
  const api = await openApi();
  const answer = await send(api, path);

  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(await answer.text()).toContain(words);
  expect(answer.headers.get('refresh')).toBeNull();
});

test.each([
  ['/key-system-getkey', '/key-system-1'],
  ['/rosaverx/key-system-getkey', '/rosaverx/key-system-1'],
])('the form of %s requests a key for the app of its page, not of its query', async (path, begin) => {
  const api = await openApi();

  const answer = await send(api, `${path}?app=tool&${WHO}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${begin}?${WHO}`]);
});

test('an invalid advertiser name is left out of the refresh', async () => {
  const api = await openApi();

  const answer = await send(api, `/key-system-2?${WHO}`, `advertiser=${'%FF'.repeat(2000)}`);
  expect(answer.headers.get('refresh')).toBe('0; url=/api/keysystemv2?hwid=device-1234&zone=zone-1&step=2');
  const long = await send(api, `/key-system-2?${WHO}`, `advertiser=${'x'.repeat(33)}`);
  expect(long.headers.get('refresh')).toBe('0; url=/api/keysystemv2?hwid=device-1234&zone=zone-1&step=2');
});

test('a form body that is too large is rejected, and a body that is not a form is ignored', async () => {
  const api = await openApi();

  expect((await send(api, `/key-system-2?${WHO}`, `advertiser=${'x'.repeat(9000)}`)).status).toBe(400);
  const json = await send(api, `/key-system-2?${WHO}`, '{"advertiser":"workink"}', {
    ...ownFormHeaders(api),
    'content-type': 'application/json',
  });
  expect(json.headers.get('refresh')).toBe('0; url=/api/keysystemv2?hwid=device-1234&zone=zone-1&step=2');
});

test('a visitor with another zone is asked whether to continue the open run', async () => {
  const api = await openApi();
  await walkStep(api);
  const elsewhere = 'hwid=device-1234&zone=zone-2';
  const address = linkIn(await (await send(api, `/key-system-2?${elsewhere}`)).text());
  const led = (await api.visit(address)).headers.get('location') ?? '';
  expect(led).toContain('e=KS_OTHER_ZONE');

  const page = await (await send(api, led)).text();
  expect(page).toContain('You started this run with another app link');
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(action).toContain('&run=keep');
  expect((await api.visit(action, ownFormHeaders(api), 'POST')).status).toBe(302);
});

test('the form of the key page shows the key with a link to the app and to no other site', async () => {
  const api = await openApi();
  for (const step of [1, 2, 3, 4, 5, 6]) await walkStep(api, { step });
  const { key } = (await (await api.ask(`/api/key?${WHO}`)).json()) as { key: string };

  const answer = await send(api, `/key-system-getkey?${WHO}`);
  const page = await answer.text();
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(page).toContain('<h1>Here’s your key</h1>');
  expect(page).toContain(key);
  expect(page).toContain('It works for 24 hours more.');
  expect(linkIn(page)).toBe('app://');

  const foreign = await send(api, `/key-system-getkey?${WHO}`, '', {
    ...OWN_NAVIGATION,
    'sec-fetch-site': 'cross-site',
  });
  expect([foreign.status, foreign.headers.get('location')]).toEqual([303, `/key-system-getkey?${WHO}`]);
});

test('the form of the key page leads to the next step while there is no key', async () => {
  const api = await openApi();
  const lead = async () => (await send(api, `/key-system-getkey?${WHO}&os=ios`)).headers.get('location');

  expect(await lead()).toBe(`/key-system-1?${WHO}&os=ios`);
  await walkStep(api);
  expect(await lead()).toBe(`/key-system-2?${WHO}&os=ios`);
  await clickComplete(api, { step: 2 });
  expect(await lead()).toBe(`/key-system-2?${WHO}&os=ios`);
});

test('the form of the key page shows the block of a device and its end', async () => {
  const api = await openApi();
  await walkStep(api);
  const { deviceId } = await api.db.selectFrom('run').select('deviceId').executeTakeFirstOrThrow();
  const ask = async (until: number | null) => {
    await blockDevices(api, [deviceId], { reason: 'shares keys', until }, { by: 'ada', at: api.now() });
    const answer = await send(api, `/key-system-getkey?${WHO}`);
    expect(answer.status).toBe(200);
    return answer.text();
  };

  const forever = await ask(null);
  expect(forever).toContain('<h1>This device is blocked</h1>');
  expect(forever).not.toContain('You can go on');
  expect(await ask(api.now() + 20 * 60_000)).toContain('You can go on in 20 minutes.');
});

test.each([
  ['/key-system-2', 'e=KS_PROVIDER_DOWN', 'The advertiser didn’t answer', '/api/keysystemv2'],
  ['/key-system-1', 'e=KS_LIMIT&until={in 15 minutes}', 'Too many tries, too fast', '/api/keysystemv2'],
])('the form of %s with %s shows the notice and does not refresh', async (path, query, heading, to) => {
  const api = await openApi();
  const at = new Date(api.now() + 15 * 60_000).toISOString();

  const answer = await send(api, `${path}?${WHO}&${query.replace('{in 15 minutes}', at)}`);
  const page = await answer.text();
  expect([answer.status, answer.headers.get('refresh')]).toEqual([200, null]);
  expect(page).toContain(`<h1>${heading}</h1>`);
  expect(page.includes('You can go on in 15 minutes.')).toBe(query.includes('until'));
  expect(linkIn(page)).toContain(`${to}?hwid=device-1234`);
});

test('the form of the bypass page shows the strike, and later the remaining cooldown', async () => {
  const api = await openApi();
  const page = `/key-system-bypass?${WHO}&r=KS_PROOF`;
  await earnStrikes(api, 1);
  const once = await send(api, page);
  expect([once.status, once.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const told = await once.text();
  expect(told).toContain('<h1>The advertiser didn’t confirm your step</h1>');
  expect(linkIn(told)).toBe(`/key-system-1?${WHO}`);

  await earnStrikes(api, 2);
  const paused = await (await send(api, page)).text();
  expect(paused).toContain('<h1>You’re on a timeout</h1>');
  expect(paused).toContain('You can go on in 15 minutes.');
});

test.each(['KS_FAST', 'KS_PROOF', 'KS_REUSE', 'KS_COOLDOWN', 'KS_BLOCKED'])(
  'threat 61: a form ignores the code %s in its address',
  async (code) => {
    const api = await openApi();
    const until = new Date(api.now() + 15 * 60_000).toISOString();
    const step = await send(api, `/key-system-2?${WHO}&e=${code}&until=${until}`);
    const bypass = await send(api, `/key-system-bypass?${WHO}&r=${code}&until=${until}`);

    expect(step.headers.get('refresh')).toContain('/api/keysystemv2?');
    expect([bypass.status, bypass.headers.get('location')]).toEqual([303, `/key-system-1?${WHO}`]);
  },
);

test.each([
  ['in a minute and a second', 61_000, 'You can go on in 2 minutes.'],
  ['a minute ago', -60_000, undefined],
  ['at a moment that nobody can read', NaN, undefined],
  ['later than any limit of ours', 61 * 60_000, undefined],
])('a form shows the remaining time of a limit that ends %s only if it is plausible', async (_when, ms, words) => {
  const api = await openApi();
  const until = Number.isNaN(ms) ? 'soon' : new Date(api.now() + ms).toISOString();
  const page = await (await send(api, `/key-system-2?${WHO}&e=KS_LIMIT&until=${until}`)).text();

  expect(/You can go on in [^<]*/.exec(page)?.[0]).toBe(words);
});

test('a form ignores a code in its address that is not a rejection', async () => {
  const api = await openApi();

  const step = await send(api, `/key-system-2?${WHO}&e=route.not_found&until=soon`);
  expect(step.headers.get('refresh')).toContain('/api/keysystemv2?');
  const bypass = await send(api, `/key-system-bypass?${WHO}&r=%3Cb%3E`);
  expect(bypass.headers.get('location')).toBe(`/key-system-1?${WHO}`);
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a frame', { 'sec-fetch-dest': 'iframe' }],
])('a form of %s does not receive the strikes of the device', async (_who, from) => {
  const api = await openApi();
  await earnStrikes(api, 3);

  const bypass = await send(api, `/key-system-bypass?${WHO}&r=KS_BLOCKED`, '', { ...ownFormHeaders(api), ...from });
  expect([bypass.status, bypass.headers.get('location')]).toEqual([303, `/key-system-1?${WHO}`]);
});

test('the form of the key page of a registered app links to that app', async () => {
  const api = await openApi();
  const tool: RegisteredApp = {
    id: 'tool',
    name: 'Script Tool',
    scheme: 'script-tool://key',
    colour: 'green',
    contact: 'mia@tool.example',
    steps: 1,
    advertisers: ['linkvertise'],
  };
  await addApp(api, tool, { by: 'ada', at: api.now() });
  const link = requireLocation(await api.visit(`/api/apps/tool/keysystem?${WHO}`));
  api.pass(LONG_ENOUGH_MS);
  await api.visit(await finishAtAdvertiser(api, link));

  const page = await (await send(api, `/apps/key-system-getkey?app=tool&${WHO}`)).text();
  expect(page).toContain('<h1>Here’s your key</h1>');
  expect(linkIn(page)).toBe('script-tool://key');
});

test('the form of the key page counts towards the rate limit of key requests', async () => {
  const api = await openApi({ limits: { ...DEFAULT_LIMITS, keysPerMinute: 2 } });
  const answers = [];
  for (let tries = 0; tries < 3; tries++) answers.push((await send(api, `/key-system-getkey?${WHO}`)).status);
  expect(answers).toEqual([303, 303, 429]);
  expect((await api.ask(`/api/key?${WHO}`)).status).toBe(429);
});
