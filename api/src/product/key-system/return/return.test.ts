import { describe, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '#api/test/create-test-api.ts';
import {
  comeFromStepOne,
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkRun,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';

describe('proof', () => {
  test.each(['wrong_proof', 'late'] as const)(
    'a step that ends with %s is not credited, and the run goes on',
    async (how) => {
      const api = await createTestApi();
      await passCaptcha(api);

      expect(await walkStep(api, {}, how)).toBe(`/key-system-bypass?${WHO}&r=KS_PROOF`);
      expect(await walkStep(api)).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
    },
  );

  test('threat 6: a proof offered a second time ends the run', async () => {
    const api = await createTestApi();
    await passCaptcha(api);
    await walkStep(api);

    expect(await walkStep(api, { step: 2 }, 'same_proof')).toBe(`/key-system-bypass?${WHO}&r=KS_REUSE`);
    expect(await readState(api)).toMatchObject({ run: null });
  });

  test('threat 6: another device cannot use the proof either', async () => {
    const api = await createTestApi();
    await passCaptcha(api);
    await walkStep(api);
    await passCaptcha(api, { hwid: 'device-5678' });

    expect(await walkStep(api, { hwid: 'device-5678' }, 'same_proof')).toContain('r=KS_REUSE');
  });
});

describe('one return', () => {
  test('threat 3: fifty at once move the run on by one step, and none leads elsewhere', async () => {
    const { api, address } = await comeFromStepOne();

    const answers = await Promise.all(Array.from({ length: 50 }, () => api.visit(address)));

    expect(await stepOf(api)).toBe(2);
    // One return was checked; the others wait, or are told to come back more slowly.
    for (const { status, headers } of answers) {
      if (status === 303) expect(headers.get('location')).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
      else expect([status, headers.get('refresh')]).toEqual(status === 429 ? [429, '30'] : [200, '3']);
    }
    expect(answers.some(({ status }) => status === 303)).toBe(true);
  });

  test('threat 4: opened again after the run, it leads to the key, of which there is one', async () => {
    const { api, address } = await comeFromStepOne();
    await api.visit(address);
    for (let step = 2; step <= 6; step++) await walkStep(api, { step });

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-getkey?${WHO}`);
    expect(await api.db.selectFrom('accessKey').selectAll().execute()).toHaveLength(1);
  });

  test('threat 5: used by another visitor, it moves on its owner’s run and leads to its owner’s page', async () => {
    const { api, address } = await comeFromStepOne();
    await passCaptcha(api, { hwid: 'device-5678' });
    await clickComplete(api, { hwid: 'device-5678' });

    const page = requireLocation(await api.visit(address));

    expect(page).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
    expect(await stepOf(api)).toBe(2);
    expect(await stepOf(api, 'device-5678')).toBe(1);
  });

  test('T7: from a tab that a newer one replaced, it leads to the true step with a notice', async () => {
    const { api, address } = await comeFromStepOne();
    for (let tabs = 0; tabs < 3; tabs++) await clickComplete(api);

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_STEP`);
  });

  test.each(['abc', 'a'.repeat(43), '%00'])('T10: the unknown ticket "%s" leads to the bypass page', async (ticket) => {
    const api = await createTestApi();

    expect(requireLocation(await api.visit(`/api/keysystem/return/${ticket}`))).toBe('/key-system-bypass?r=KS_TICKET');
  });

  test('it may come from the advertiser’s site, but a look ahead does not use it up', async () => {
    const { api, address } = await comeFromStepOne();
    const crossSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

    expect((await api.visit(address, { ...crossSite, 'sec-purpose': 'prefetch' })).status).toBe(403);
    expect((await api.visit(address, crossSite, 'HEAD')).status).toBe(403);
    const res = await api.visit(address, crossSite);

    expect(requireLocation(res)).toContain('/key-system-2?');
    expect(res.headers.get('referrer-policy')).toBe('no-referrer');
  });
});

describe('time', () => {
  test('threat 9: back too early with a proof, the visitor waits on a page that goes on by itself', async () => {
    const { api, address } = await comeFromStepOne('linkvertise', 11_000);

    const early = await api.visit(address);
    expect(early.status).toBe(200);
    expect(early.headers.get('refresh')).toBe('4');
    expect(await early.text()).toContain('Almost there');

    api.pass(4000);
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  });

  test('threat 9: a proof that dies within seconds is checked at once, and held until a person could be done', async () => {
    const { api, address } = await comeFromStepOne('linkvertise', 1000);

    expect((await api.visit(address)).headers.get('refresh')).toBe('14');
    expect(await stepOf(api)).toBe(1);
    // The proof itself has expired long ago.
    api.pass(LONG_ENOUGH_MS);
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  });

  test('threat 9: a held proof belongs to its attempt: no other attempt can use it, and a wrong one is refused at once', async () => {
    const { api, address } = await comeFromStepOne('linkvertise', 1000);
    await api.visit(address);
    await passCaptcha(api, { hwid: 'device-5678' });
    const other = await finishAtAdvertiser(api, await clickComplete(api, { hwid: 'device-5678' }), 'same_proof');
    const wrong = await finishAtAdvertiser(api, await clickComplete(api), 'wrong_proof');

    expect(requireLocation(await api.visit(other))).toContain('r=KS_REUSE');
    expect(requireLocation(await api.visit(wrong))).toContain('r=KS_PROOF');
  });

  test('threat 9: back too early where the address is the only proof, the step does not count', async () => {
    const { api, address } = await comeFromStepOne('rinku', 1000);

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-bypass?${WHO}&r=KS_FAST`);
    api.pass(LONG_ENOUGH_MS);
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-bypass?${WHO}&r=KS_FAST`);
    expect(await stepOf(api)).toBe(1);
  });

  test('a ticket that ran out did so by itself, however many have been given since', async () => {
    const { api, address } = await comeFromStepOne();
    api.pass(15 * 60_000);
    for (let starts = 0; starts < 3; starts++) await clickComplete(api);

    expect(requireLocation(await api.visit(address))).toContain('e=KS_EXPIRED');
  });

  test('threat 9: back at the first moment a person could be, the step counts', async () => {
    const { api, address } = await comeFromStepOne('rinku', 10_000);

    expect(requireLocation(await api.visit(address))).toContain('/key-system-2?');
  });

  test.each([
    { when: 'in its last millisecond', awayMs: 15 * 60_000 - 1, page: `/key-system-2?${WHO}&advertiser=linkvertise` },
    {
      when: 'at the very end of its time',
      awayMs: 15 * 60_000,
      page: `/key-system-1?${WHO}&advertiser=rinku&e=KS_EXPIRED`,
    },
  ])('T9: a ticket that comes back $when leads to $page', async ({ awayMs, page }) => {
    const { api, address } = await comeFromStepOne('rinku', awayMs);

    expect(requireLocation(await api.visit(address))).toBe(page);
  });

  test('T9: back after a quarter of an hour, the visitor is told and may try again', async () => {
    const { api, address } = await comeFromStepOne('linkvertise', 15 * 60_000);

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_EXPIRED`);
  });

  test('T9: back after the run has ended, the visitor begins again', async () => {
    const { api, address } = await comeFromStepOne();
    await api.db.updateTable('run').set({ expiresAt: api.now() }).execute();

    expect(requireLocation(await api.visit(address))).toBe(`/key-system-1?${WHO}&e=KS_EXPIRED`);
    await passCaptcha(api);
    expect(await clickComplete(api)).toContain('/dev/advertiser/');
  });
});

test('the second series begins with the default advertiser, whatever the first ended with', async () => {
  const api = await createTestApi();
  await passCaptcha(api);
  for (const step of [1, 2]) await walkStep(api, { step });

  expect(await walkStep(api, { step: 3, advertiser: 'lootlabs' })).toBe(`/key-system-4?${WHO}&advertiser=linkvertise`);
});

test('the database alone tells neither the device id nor the zone', async () => {
  const api = await createTestApi();
  await walkRun(api);

  for (const table of ['device', 'run', 'stepAttempt', 'accessKey', 'captchaPass'] as const) {
    const rows = JSON.stringify(await api.db.selectFrom(table).selectAll().execute());
    expect(rows).not.toContain('device-1234');
    expect(rows).not.toContain('zone-1');
  }
});

test('the log tells neither device id, zone nor ticket', async () => {
  const api = await createTestApi();
  await walkRun(api);

  const log = api.logged.join('');
  expect(log).toContain('"path":"/api/keysystem/return/***"');
  expect(log).not.toMatch(/device-1234|zone-1|hash=|[A-Za-z0-9_-]{43}/);
});

async function stepOf(api: TestApi, hwid?: string): Promise<unknown> {
  const { run } = await readState(api, hwid === undefined ? {} : { hwid });
  return (run as { step: number } | null)?.step;
}
