import { describe, expect, test } from 'vitest';
import { createTestApi, OWN_NAVIGATION, type TestApi } from '#api/test/create-test-api.ts';
import { insertLicence } from '#api/test/product/insert-licence.ts';
import {
  HWID,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  WHO,
  ZONE,
} from '#api/test/product/visitor-steps.ts';

const HOUR = 60 * 60 * 1000;
const START = `/api/keysystemv2?${WHO}&advertiser=linkvertise&os=android`;

describe('the button of step 1', () => {
  test('threat 34: leads out to the advertiser, without telling it where the visitor comes from', async () => {
    const api = await createTestApi();
    await passCaptcha(api);

    const res = await api.visit(START);

    expect(res.status).toBe(302);
    expect(res.headers.get('location')).toMatch(
      new RegExp(`^${api.origin}/dev/advertiser/linkvertise/1/\\d+/dynamic\\?r=`),
    );
    expect(res.headers.get('referrer-policy')).toBe('no-referrer');
    expect(res.headers.get('cache-control')).toBe('no-store');
  });

  test('asks for the captcha first', async () => {
    const api = await createTestApi();

    expect(await clickComplete(api)).toBe(`/key-system-1?${WHO}&e=KS_CAPTCHA`);
    expect(await clickComplete(api, { companion: true })).toBe(`/rosaverx/key-system-1?${WHO}&e=KS_CAPTCHA`);
    expect(await countRows(api)).toBe(0);
  });

  test('tells a blocked device so, also one that has a plan', async () => {
    const api = await createTestApi();
    await insertLicence(api.db, { startsAt: api.now(), hwids: [HWID] });
    expect(await clickComplete(api)).toBe(`/key-system-getkey?${WHO}`);

    await api.db.updateTable('device').set({ blockReason: 'shares keys' }).execute();

    expect(await clickComplete(api)).toBe(`/key-system-bypass?${WHO}&r=KS_BLOCKED`);
  });

  test('works without a zone, and then the key needs none', async () => {
    const api = await createTestApi();
    await passCaptcha(api);

    const page = await walkStep(api, { zone: '' });

    expect(page).toBe('/key-system-2?hwid=device-1234&advertiser=linkvertise');
  });

  test('asked for again while the run is open, it needs no second captcha', async () => {
    const api = await createTestApi();
    await passCaptcha(api);
    await clickComplete(api);

    expect(await clickComplete(api, { advertiser: 'rinku' })).toContain('/dev/advertiser/rinku/go/');
    expect(await countRows(api)).toBe(1);
  });

  test('leads to the key while it still works for more than two hours, and to a new run after', async () => {
    const api = await createTestApi();
    await walkRun(api);

    expect(await clickComplete(api)).toBe(`/key-system-getkey?${WHO}`);
    expect(await readState(api)).toMatchObject({ key: { active: true, renewable: false } });
    api.pass(22 * HOUR + 1000);
    expect(await readState(api)).toMatchObject({ key: { active: true, renewable: true } });
    await passCaptcha(api);
    expect(await clickComplete(api)).toContain('/dev/advertiser/linkvertise/');
  });

  test('the last button leads to the key when it is clicked again after the end of the run', async () => {
    const api = await createTestApi();
    await walkRun(api);

    expect(await clickComplete(api, { step: 6 })).toBe('/key-system-getkey?hwid=device-1234&zone=zone-1');
  });

  test('an eleventh try within the hour stays on the page, which says when one can go on; and then one can', async () => {
    const api = await createTestApi();
    await passCaptcha(api);
    const until = encodeURIComponent(new Date(api.now() + HOUR).toISOString());
    for (let tries = 0; tries < 10; tries++) await clickComplete(api);
    api.pass(HOUR / 2);

    expect(await clickComplete(api)).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_LIMIT&until=${until}`);
    api.pass(HOUR / 2);
    expect(await clickComplete(api)).toContain('/dev/advertiser/');
  });

  test('an advertiser that is switched off is not offered', async () => {
    const api = await createTestApi();
    await passCaptcha(api);
    await api.db.updateTable('advertiser').set({ enabled: 0 }).where('id', '=', 'linkvertise').execute();

    expect(await clickComplete(api)).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_PROVIDER_DOWN`);
  });
});

describe('a step that is not the next one', () => {
  test('threat 13: asking for step 5 at step 2 leads to step 2 and costs nothing', async () => {
    const api = await createTestApi();
    await passCaptcha(api);
    await walkStep(api);
    const before = await api.db.selectFrom('stepAttempt').selectAll().execute();

    expect(await clickComplete(api, { step: 5 })).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
    expect(await api.db.selectFrom('stepAttempt').selectAll().execute()).toEqual(before);
  });

  test('threat 1: asking for step 6 without a run leads to step 1, and there is no key', async () => {
    const api = await createTestApi();

    expect(await clickComplete(api, { step: 6 })).toBe(`/key-system-1?${WHO}`);
    expect(await (await api.ask(`/api/key?${WHO}`)).json()).toMatchObject({ status: 'none' });
    expect(await readState(api)).toMatchObject({ run: null, key: null });
  });
});

describe('what the address may say', () => {
  test.each([
    { why: 'missing', query: '' },
    { why: 'too long', query: `hwid=${'a'.repeat(10_000)}` },
    { why: 'markup', query: 'hwid=<script>alert(1)</script>' },
    { why: 'a list', query: 'hwid=device-1&hwid=device-2' },
    { why: 'a bracket list', query: 'hwid[]=device-1' },
    { why: 'holding a NUL', query: 'hwid=device-1%00' },
    { why: 'SQL', query: "hwid=device'%20OR%201=1--" },
    { why: 'what many devices send', query: 'hwid=To-Be-Filled-By-O.E.M.' },
    { why: 'nothing, in JavaScript', query: 'hwid=undefined%0A' },
  ])('threat 17: a device id that is $why is answered with the page that asks for it', async ({ query }) => {
    const api = await createTestApi();
    await passCaptcha(api);

    const start = await api.visit(`/api/keysystemv2?${query}`);
    const state = await api.ask(`/api/keysystem/state?${query}`);

    expect(requireLocation(start)).toBe('/key-system-1?e=KS_HWID');
    expect(state.status).toBe(400);
    expect(await state.json()).toMatchObject({ code: 'KS_HWID' });
    expect(await countRows(api)).toBe(0);
  });

  test('white space around the device and the zone makes no other device and no other zone', async () => {
    const api = await createTestApi();
    await passCaptcha(api);

    await api.visit(`/api/keysystemv2?hwid=${HWID}%0A&zone=%20${ZONE}%0D%0A`);
    expect(await readState(api)).toMatchObject({ run: { step: 1, zone: 'same' } });
    const state = await api.ask(`/api/keysystem/state?hwid=%20${HWID}&zone=${ZONE}%0A`);
    expect(await state.json()).toMatchObject({ run: { step: 1, zone: 'same' } });
  });

  test('the author of an app that sends what many devices send is told so', async () => {
    const api = await createTestApi();
    const refused = await (await api.ask('/api/key?hwid=undefined')).json();

    expect(refused).toMatchObject({
      code: 'KS_HWID',
      detail: '“hwid” must be the id of one device: many devices send this one.',
    });
  });

  test('a malformed zone is refused by its own name', async () => {
    const api = await createTestApi();

    expect(requireLocation(await api.visit('/api/keysystemv2?hwid=device-1234&zone=a%20b'))).toBe(
      '/key-system-1?e=KS_ZONE',
    );
  });

  test.each(['https://evil.example', '//evil.example', 'LINKVERTISE', '', 'workink'])(
    'threat 27: the advertiser "%s" on step 1 means Linkvertise',
    async (advertiser) => {
      const api = await createTestApi();
      await passCaptcha(api);

      expect(await clickComplete(api, { advertiser })).toMatch(
        new RegExp(`^${api.origin}/dev/advertiser/linkvertise/`),
      );
    },
  );
});

describe('requests that may start a step', () => {
  test.each([
    {
      what: 'an image of another site',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    },
    {
      what: 'a frame',
      headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    },
    {
      what: 'a script',
      headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    },
    { what: 'a prefetch', headers: { ...OWN_NAVIGATION, 'sec-purpose': 'prefetch;prerender' } },
  ])('T1f: $what is refused, empty-handed, and leaves no row', async ({ headers }) => {
    const api = await createTestApi();
    await passCaptcha(api);

    const res = await api.visit(START, headers);

    expect(res.status).toBe(403);
    expect(await res.text()).toBe('');
    expect(await countRows(api)).toBe(0);
  });

  test.each([
    { what: 'a link of another site', headers: { ...OWN_NAVIGATION, 'sec-fetch-site': 'cross-site' } },
    { what: 'a client that says nothing', headers: {} },
    { what: 'a client that comes from elsewhere', headers: { referer: 'https://evil.example/127.0.0.1' } },
  ])('T1f: $what is asked first, by a form for the same address', async ({ headers }) => {
    const api = await createTestApi();
    await passCaptcha(api);

    const res = await api.visit(START, headers);

    expect(res.status).toBe(200);
    expect(await res.text()).toContain(`<form method="post" action="${START.replaceAll('&', '&amp;')}">`);
    expect(await countRows(api)).toBe(0);
  });

  test('a client without fetch metadata that comes from our own page goes on', async () => {
    const api = await createTestApi();
    await passCaptcha(api);

    expect((await api.visit(START, { referer: `${api.origin}/key-system-1` })).status).toBe(302);
  });

  test('HEAD changes nothing', async () => {
    const api = await createTestApi();
    await passCaptcha(api);

    expect((await api.visit(START, OWN_NAVIGATION, 'HEAD')).status).toBe(403);
    expect(await countRows(api)).toBe(0);
  });
});

async function countRows({ db }: TestApi): Promise<number> {
  const runs = await db.selectFrom('run').select('id').execute();
  const devices = await db.selectFrom('device').select('id').execute();
  return Math.max(runs.length, devices.length);
}
