import { describe, expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import {
  earnStrikes,
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  openApi,
  clickComplete,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';

const MINUTE = 60_000;

describe('three strikes', () => {
  test('lead to a page that says why and until when, and to an app that hears the same', async () => {
    const api = await openApi();
    await earnStrikes(api, 3);
    const until = api.now() + 15 * MINUTE;

    expect(await clickComplete(api)).toBe(`/key-system-bypass?${WHO}&r=KS_COOLDOWN`);
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
    const link = await clickComplete(api);
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
  const link = await clickComplete(api);
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
    const link = await clickComplete(api);
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);
    await Promise.all([api.visit(address), api.visit(address)]);
    for (let reloads = 0; reloads < 3; reloads++) await api.visit(address);

    const left = await clickComplete(api, { step: 2 });
    api.pass(15 * MINUTE);
    await api.visit(await finishAtAdvertiser(api, left));
    await api.visit(`/api/keysystem/return/${'a'.repeat(43)}`);

    expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  });

  test('threat 12: an advertiser that is down', async () => {
    const api = await openApi({ callProvider: () => Promise.resolve('garbage') });
    const link = await clickComplete(api);
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);

    expect(requireLocation(await api.visit(address))).toContain('e=KS_PROVIDER_DOWN');
    expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  });

  test('threat 1, threat 13: a later page or a later step opened directly', async () => {
    const api = await openApi();
    await walkStep(api);

    expect(await clickComplete(api, { step: 5 })).toContain('/key-system-2?');
    expect(await readState(api)).toMatchObject({ run: { step: 2 }, cooldown: null });
  });
});

describe('an operator’s block', () => {
  test('ends starts, keys and returns alike, for as long as it lasts', async () => {
    const api = await openApi();
    const link = await clickComplete(api);
    api.pass(LONG_ENOUGH_MS);
    const address = await finishAtAdvertiser(api, link);
    await api.db.updateTable('device').set({ blockReason: 'abuse' }).execute();
    await api.db.updateTable('run').set({ state: 'blocked' }).execute();

    expect(await clickComplete(api)).toBe(`/key-system-bypass?${WHO}&r=KS_BLOCKED`);
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
