import { problemSchema } from '@app/contracts/problem';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { openBrowser } from '#api/test/speak-as.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  openApi,
  clickComplete,
  readState,
  WHO,
} from '#api/test/product/visitor-steps.ts';

const START = `/api/keysystemv2?${WHO}&step=1`;

/** A server whose load the test decides, with a visitor who has passed the captcha. */
async function openLoaded() {
  const load = { isOverloaded: false, isCrowded: false };
  const api = await openApi({
    load: { isOverloaded: () => load.isOverloaded, isCrowded: () => load.isCrowded },
  });
  const unused = () => api.db.selectFrom('captchaPass').selectAll().where('consumedAt', 'is', null).execute();
  return { ...api, api, load, unused };
}

test('threat 48: an overloaded server starts no run, answers with a page that refreshes itself, and consumes no captcha pass', async () => {
  const { visit, load, unused, db, api } = await openLoaded();
  load.isOverloaded = true;

  const res = await visit(START);

  expect(res.status).toBe(503);
  const pause = Number(res.headers.get('retry-after'));
  expect(pause).toBeGreaterThanOrEqual(5);
  expect(pause).toBeLessThanOrEqual(15);
  expect(res.headers.get('refresh')).toBe(String(pause));
  expect(await res.text()).toContain(`after about ${pause} seconds`);
  expect(await db.selectFrom('run').selectAll().execute()).toEqual([]);
  expect(await unused()).toHaveLength(1);

  load.isOverloaded = false;
  expect(await clickComplete(api, { step: 1 })).toContain('/dev/advertiser/');
});

test('threat 48: a rejected browser without a cookie receives one and starts with it later', async () => {
  const { api, load } = await openLoaded();
  const browser = openBrowser(api);
  api.pass(1000);
  load.isOverloaded = true;
  expect((await browser.visit(START)).headers.get('set-cookie')).not.toBeNull();
  load.isOverloaded = false;

  expect(await clickComplete(browser, { step: 1 })).toContain('/dev/advertiser/');
});

test('an overloaded server answers a JSON request with a retryable problem', async () => {
  const { visit, load } = await openLoaded();
  load.isOverloaded = true;

  const res = await visit(START, { ...OWN_NAVIGATION, accept: 'application/json' });

  expect(res.status).toBe(503);
  expect(Number(res.headers.get('retry-after'))).toBeGreaterThanOrEqual(5);
  expect(v.parse(problemSchema, await res.json())).toMatchObject({ code: 'KS_BUSY', retryable: true });
});

test('threat 48: an overloaded server still credits returns and starts the next steps of open runs', async () => {
  const { api, load, visit } = await openLoaded();
  const link = await clickComplete(api);
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link);
  load.isOverloaded = true;

  await visit(address);

  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
  expect(await clickComplete(api, { step: 2 })).toContain('/dev/advertiser/');
});

test('threat 48: an overloaded server rejects captchas and answers state requests', async () => {
  const { api, load, visit } = await openLoaded();
  await clickComplete(api);
  load.isOverloaded = true;

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => visit(`/api/captcha/challenge?hwid=device-in-queue-${nth}`, {})),
  );
  const pauses = answers.map(({ headers }) => Number(headers.get('retry-after')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
  // Each client gets a place of its own in the admission queue.
  expect(new Set(pauses).size).toBeGreaterThan(3);
  expect(await readState(api)).toMatchObject({ run: { step: 1 } });
});

test('threat 48: a captcha above the rate limit is rejected with 429 before it reaches the queue', async () => {
  const { load, visit } = await openLoaded();
  load.isOverloaded = true;
  const ask = async () => (await visit(`/api/captcha/challenge?hwid=device-hasty`, {})).status;

  const statuses = await Promise.all(Array.from({ length: 30 }, ask));

  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});

test('threat 48: a server at its limit rejects state requests and captchas, and accepts step starts, returns and keys', async () => {
  const { api, load, visit } = await openLoaded();
  const link = await clickComplete(api);
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link);
  load.isCrowded = true;

  for (const path of [`/api/keysystem/state?${WHO}&app=main`, `/api/captcha/challenge?${WHO}`]) {
    const res = await visit(path, {});
    expect(res.status).toBe(503);
    expect(Number(res.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(v.parse(problemSchema, await res.json())).toMatchObject({ code: 'server.busy', retryable: true });
  }
  expect(api.logged.join('')).not.toContain('request failed');
  await visit(address);
  expect(await clickComplete(api, { step: 2 })).toContain('/dev/advertiser/');
  expect((await visit(`/api/key?${WHO}&app=main`, {})).status).toBe(200);

  load.isCrowded = false;
  expect(await readState(api)).toMatchObject({ run: { step: 2 } });
});
