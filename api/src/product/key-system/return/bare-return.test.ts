import { expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import {
  comeFromStepOne,
  finishAtAdvertiser,
  LONG_ENOUGH_MS,
  passCaptcha,
  clickComplete,
  readState,
  requireLocation,
  walkStep,
  WHO,
} from '#api/test/product/visitor-steps.ts';

test.each(['', '?hash=', '?hash[]=x', '?token=x', '?utm_source=scanner'])(
  'threat 2: the return address opened with "%s" in place of its proof claims nothing, adds no strike, and still works with it',
  async (query) => {
    const { api, address } = await comeFromStepOne();

    for (let scans = 0; scans < 5; scans++) {
      expect(requireLocation(await api.visit(address.replace(/\?.*/, query)))).toBe(
        `/key-system-1?${WHO}&advertiser=linkvertise&e=KS_UNFINISHED`,
      );
    }

    expect(await readState(api)).toMatchObject({ run: { step: 1 } });
    expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
  },
);

test('threat 2: a Work.ink return whose token was never filled in is one without', async () => {
  const { api, address: first } = await comeFromStepOne();
  await api.visit(first);
  const link = await clickComplete(api, { advertiser: 'workink', step: 2 });
  api.pass(LONG_ENOUGH_MS);
  const address = await finishAtAdvertiser(api, link);
  const bare = address.replace(/\?.*/, '');

  for (const scanned of [bare, `${bare}?token=`, `${bare}?token={TOKEN}`, `${bare}?token=%7BTOKEN%7D`]) {
    expect(requireLocation(await api.visit(scanned))).toBe(`/key-system-2?${WHO}&advertiser=workink&e=KS_UNFINISHED`);
  }

  expect(await api.db.selectFrom('strike').selectAll().execute()).toEqual([]);
  expect(requireLocation(await api.visit(address))).toBe(`/key-system-3?${WHO}&advertiser=workink`);
});

test('threat 2: opened without its proof before a person could be back, or after the ticket’s time, it takes nothing either', async () => {
  const { api, address } = await comeFromStepOne('linkvertise', 1000);
  const bare = address.replace(/\?.*/, '');

  expect(requireLocation(await api.visit(bare))).toContain('e=KS_UNFINISHED');
  expect(await api.db.selectFrom('stepAttempt').select(['state', 'returnedAt']).execute()).toEqual([
    { state: 'issued', returnedAt: null },
  ]);
  api.pass(15 * 60_000);
  expect(requireLocation(await api.visit(bare))).toContain('e=KS_EXPIRED');
});

test('opened without its proof once that was checked and is held, it goes on as soon as a person could be done', async () => {
  const { api, address } = await comeFromStepOne('linkvertise', 1000);
  const bare = address.replace(/\?.*/, '');
  await api.visit(address);

  expect((await api.visit(bare)).headers.get('refresh')).toBe('14');
  api.pass(LONG_ENOUGH_MS);
  expect(requireLocation(await api.visit(bare))).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
});

test('threat 2: opened without its proof while the circuit of the advertiser is open, it says so', async () => {
  const { api, address } = await comeFromStepOne();
  await api.db.updateTable('advertiser').set({ enabled: 0 }).where('id', '=', 'linkvertise').execute();

  expect(requireLocation(await api.visit(address.replace(/\?.*/, '')))).toContain('e=KS_PROVIDER_DOWN');
});

test.each(['?hash=x', `?hash=${'g'.repeat(65)}`, `?hash=${'a'.repeat(64)}&hash=${'b'.repeat(64)}`])(
  'a garbled proof such as "%s" is a wrong one, and uses the ticket up',
  async (query) => {
    const { api, address } = await comeFromStepOne();

    expect(requireLocation(await api.visit(address.replace(/\?.*/, query)))).toBe(
      `/key-system-bypass?${WHO}&r=KS_PROOF`,
    );
    expect(requireLocation(await api.visit(address))).toBe(`/key-system-bypass?${WHO}&r=KS_PROOF`);
    expect(await api.db.selectFrom('strike').select('weight').execute()).toEqual([{ weight: 1 }]);
  },
);

test('a step that ends with no_proof is not credited, costs nothing, and the run goes on', async () => {
  const api = await createTestApi();
  await passCaptcha(api);

  expect(await walkStep(api, {}, 'no_proof')).toBe(`/key-system-1?${WHO}&advertiser=linkvertise&e=KS_UNFINISHED`);
  expect(await walkStep(api)).toBe(`/key-system-2?${WHO}&advertiser=linkvertise`);
});
