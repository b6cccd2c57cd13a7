import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { createTestApi, TEST_PEPPER, type TestApi } from '#api/test/create-test-api.ts';
import { askForKey } from '#api/test/product/key-calls.ts';
import {
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  openApi,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';

/** The product's times and counts, as a visitor meets them on a site without settings. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const hasRun = async (api: TestApi) => (await readState(api))['run'] !== null;

test('a visitor has a quarter of an hour to come back from an advertiser', async () => {
  const api = await openApi();
  const first = await clickComplete(api);
  api.pass(15 * MINUTE - 1);
  expect(requireLocation(await api.visit(await finishAtAdvertiser(api, first)))).toContain('/key-system-2');

  const second = await clickComplete(api, { step: 2 });
  api.pass(15 * MINUTE);
  expect(requireLocation(await api.visit(await finishAtAdvertiser(api, second)))).toContain('e=KS_EXPIRED');
});

test('a run on which nothing happens ends after an hour', async () => {
  const api = await openApi();
  await walkStep(api);

  api.pass(HOUR - 1);
  expect(await hasRun(api)).toBe(true);
  api.pass(1);
  expect(await hasRun(api)).toBe(false);
});

test('a run ends after six hours, whatever happens on it', async () => {
  const api = await openApi();
  await clickComplete(api);
  const begunAt = api.now() - 5.5 * HOUR;
  await api.db.updateTable('run').set({ createdAt: begunAt }).execute();
  await walkStep(api, { step: 1 });

  api.pass(begunAt + 6 * HOUR - 1 - api.now());
  expect(await hasRun(api)).toBe(true);
  api.pass(1);
  expect(await hasRun(api)).toBe(false);
});

test('a passed captcha opens a run for five minutes', async () => {
  const [inTime, late] = [await openApi(), await openApi()];
  inTime.pass(5 * MINUTE - 1);
  late.pass(5 * MINUTE);

  expect(await clickComplete(inTime)).toContain('/dev/advertiser/');
  expect(await clickComplete(late)).toContain('e=KS_CAPTCHA');
});

test('a key that works for more than two hours is not renewed, one that works no longer than that is', async () => {
  const api = await createTestApi();
  await walkRun(api);
  const { key } = (await readState(api)) as { key: { expiresAt: number } };
  await passCaptcha(api);

  api.pass(key.expiresAt - 2 * HOUR - 1 - api.now());
  expect(await clickComplete(api)).toContain('/key-system-getkey');
  await passCaptcha(api);
  api.pass(1);
  expect(await clickComplete(api)).toContain('/dev/advertiser/');
});

test('three tries are open on a step at once; a fourth takes the place of the oldest', async () => {
  const api = await openApi();
  const links = [];
  for (let tabs = 0; tabs < 4; tabs++) {
    links.push(await clickComplete(api));
    api.pass(1);
  }
  api.pass(LONG_ENOUGH_MS);
  const comeBack = async (link = '') => requireLocation(await api.visit(await finishAtAdvertiser(api, link)));

  expect(await comeBack(links[0])).toContain('e=KS_STEP');
  expect(await comeBack(links[1])).toContain('/key-system-2');
});

test('ten tries are made within an hour, and an eleventh once it is over', async () => {
  const api = await openApi();
  for (let tries = 0; tries < 10; tries++) expect(await clickComplete(api)).toContain('/dev/advertiser/');
  expect(await clickComplete(api)).toContain('e=KS_LIMIT');

  api.pass(HOUR - 1);
  expect(await clickComplete(api)).toContain('e=KS_LIMIT');
  api.pass(1);
  await passCaptcha(api);
  expect(await clickComplete(api)).toContain('/dev/advertiser/');
});

test('six runs are begun for one device within an hour, and a seventh once it is over', async () => {
  const api = await createTestApi();
  const begin = async () => {
    await passCaptcha(api);
    const page = await clickComplete(api);
    await api.db.updateTable('run').set({ state: 'cancelled' }).execute();
    await api.db.deleteFrom('stepAttempt').execute();
    return page;
  };
  for (let runs = 0; runs < 6; runs++) expect(await begin()).toContain('/dev/advertiser/');
  expect(await begin()).toContain('e=KS_LIMIT');

  api.pass(HOUR);
  expect(await begin()).toContain('/dev/advertiser/');
});

test('one return is opened twenty times a minute', async () => {
  const api = await openApi();
  const link = await clickComplete(api);
  const address = await finishAtAdvertiser(api, link);
  for (let visits = 0; visits < 20; visits++) expect((await api.visit(address)).status).not.toBe(429);

  const { status, headers } = await api.visit(address);
  expect([status, headers.get('refresh'), headers.get('retry-after')]).toEqual([429, '60', '60']);
});

test('two hundred invented tickets a minute are looked up for one address', async () => {
  const api = await createTestApi();
  const invent = () => api.visit(`/api/keysystem/return/${randomUUID()}-123456`);
  for (let tickets = 0; tickets < 200; tickets++) expect((await invent()).status).toBe(303);

  expect((await invent()).status).toBe(429);
});

describe('runs that were begun from one network within the hour', () => {
  /** Inserts ended runs of other devices, as a busy network leaves behind. */
  async function leaveRuns(api: TestApi, count: number): Promise<void> {
    const [ipHmac] = createPseudonyms(TEST_PEPPER).networks('127.0.0', api.now());
    await passCaptcha(api, { hwid: 'device-model' });
    await clickComplete(api, { hwid: 'device-model' });
    const run = await api.db
      .updateTable('run')
      .set({ state: 'cancelled', ipHmac })
      .returningAll()
      .executeTakeFirstOrThrow();
    const others = Array.from({ length: count - 1 }, () => ({ ...run, id: randomUUID() }));
    for (let from = 0; from < others.length; from += 500)
      await api.db
        .insertInto('run')
        .values(others.slice(from, from + 500))
        .execute();
  }

  const costOf = async (api: TestApi) =>
    ((await (await api.ask(`/api/captcha/challenge?${WHO}`)).json()) as { parameters: { cost: number } }).parameters
      .cost;

  test('threat 15: from two hundred on, a captcha costs four times as much', async () => {
    const api = await createTestApi({ captchaCost: 2 });
    await leaveRuns(api, 199);
    expect(await costOf(api)).toBe(2);

    await passCaptcha(api, { hwid: 'device-next' });
    await clickComplete(api, { hwid: 'device-next' });
    expect(await costOf(api)).toBe(8);
    api.pass(HOUR);
    expect(await costOf(api)).toBe(2);
  });

  test('threat 15: beyond two thousand none is begun', async () => {
    const api = await createTestApi();
    await leaveRuns(api, 1999);
    const begin = async (hwid: string) => {
      await passCaptcha(api, { hwid });
      return clickComplete(api, { hwid });
    };

    expect(await begin('device-2000')).toContain('/dev/advertiser/');
    expect(await begin('device-2001')).toContain('e=KS_LIMIT');
    api.pass(HOUR);
    expect(await begin('device-2001')).toContain('/dev/advertiser/');
  });
});

describe('strikes', () => {
  async function earnStrikes(api: TestApi, count: number): Promise<void> {
    for (let strikes = 0; strikes < count; strikes++)
      expect(await walkStep(api, {}, 'wrong_proof')).toContain('r=KS_PROOF');
  }

  test('two mean nothing, three a quarter of an hour', async () => {
    const api = await openApi();
    await earnStrikes(api, 2);
    expect(await clickComplete(api)).toContain('/dev/advertiser/');

    await earnStrikes(api, 1);
    api.pass(15 * MINUTE - 1);
    expect(await clickComplete(api)).toContain('r=KS_COOLDOWN');
    api.pass(1);
    expect(await clickComplete(api)).toContain('/dev/advertiser/');
  });

  test.each([
    { after: 24 * HOUR - 1, what: 'count for a day', leadsTo: 'r=KS_COOLDOWN', status: 'blocked' },
    { after: 24 * HOUR + 1, what: 'count no longer than a day', leadsTo: '/dev/advertiser/', status: 'in_progress' },
  ])('$what', async ({ after, leadsTo, status }) => {
    const api = await openApi();
    await earnStrikes(api, 1);
    const first = api.now();
    await earnStrikes(api, 1);

    api.pass(first + after - LONG_ENOUGH_MS - api.now());
    await passCaptcha(api);
    await earnStrikes(api, 1);
    expect(await clickComplete(api)).toContain(leadsTo);
    expect((await askForKey(api)).status).toBe(status);
  });
});
