import { expect, test } from 'vitest';
import { buy, countRows, press, readKey, readOrder, refOf } from '#api/test/product/buyer-steps.ts';
import { createTestApi, OWN_NAVIGATION } from '#api/test/create-test-api.ts';
import { requireLocation, WHO } from '#api/test/product/visitor-steps.ts';
import { sealAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;

test.each([
  { mode: '1', plan: 'basic', days: 7 },
  { mode: '2', plan: 'plus', days: 30 },
  { mode: '3', plan: 'premium', days: 365 },
])('after the payment of $plan the device needs no key system in both apps', async ({ mode, plan, days }) => {
  const api = await createTestApi();
  const until = api.now() + days * DAY;

  const page = await buy(api, mode);
  const back = await press(api, page, { action: 'pay', email: 'ada@example.com' });

  expect(new URL(back).pathname).toBe(`/success-${plan}`);
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'paid', plan, activeUntil: until });
  expect(await (await api.ask('/api/plan-status?hwid=device-1234')).json()).toMatchObject({
    plan: { id: plan, until },
  });
  for (const app of ['main', 'companion']) {
    const { status, key, expiresAt } = await readKey(api, app);
    expect(status).toBe('active');
    expect(expiresAt).toBe(Math.floor((api.now() + DAY) / 1000) * 1000);
    const check = await api.post('/api/key/verify', { key, app, hwid: 'device-1234' });
    expect(await check.json()).toMatchObject({ valid: true, code: 'VALID' });
  }
  expect(await api.mails()).toMatchObject([{ kind: 'receipt', to: 'ada@example.com' }]);
});

test('nothing is granted before the provider confirms the payment', async () => {
  const api = await createTestApi();
  const page = await buy(api);

  const back = await press(api, page, { action: 'later' });
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'redirected', activeUntil: null });
  expect(await readKey(api)).toMatchObject({ status: 'none' });

  await press(api, page, { action: 'confirm' });
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'paid' });
  expect(await readKey(api)).toMatchObject({ status: 'active' });
});

test('a cancelled payment redirects to the page for failed payments, which is told so, with the device', async () => {
  const api = await createTestApi();
  const back = await press(api, await buy(api), { action: 'cancel' });

  const res = await api.ask(back);

  expect(requireLocation(res)).toBe(`/payment-failed?${WHO}&cancelled`);
  expect(res.headers.get('referrer-policy')).toBe('no-referrer');
});

test('one click gives one order and one payment page, however often it is repeated', async () => {
  const api = await createTestApi();

  const pages = [await buy(api), await buy(api), await buy(api)];
  expect(new Set(pages).size).toBe(1);
  expect(await countRows(api, 'purchaseOrder')).toBe(1);

  expect(await buy(api, '2', '2026-01-15T12:00:01.000Z')).not.toBe(pages[0]);
  expect(await buy(api, '1')).not.toBe(pages[0]);
  expect(await countRows(api, 'purchaseOrder')).toBe(3);
});

test('a buyer waits while the provider is busy and then pays the same order', async () => {
  const api = await createTestApi();
  await press(api, '/dev/pay', { how: 'busy' });

  const res = await api.visit(`/api/create-payment?${WHO}&mode=2`);
  const [seconds = '', again = ''] = (res.headers.get('refresh') ?? '').split('; url=');
  expect([res.status, seconds, res.headers.get('retry-after')]).toEqual([503, '5', '5']);
  expect(await res.text()).toContain('You haven’t been charged.');

  await press(api, '/dev/pay', { how: 'right' });
  api.pass(5000);
  expect(requireLocation(await api.visit(again))).toContain('/dev/pay/');
  expect(requireLocation(await api.visit(again))).toContain('/dev/pay/');
  const orders = await api.db.selectFrom('purchaseOrder').select('state').execute();
  expect(orders.map(({ state }) => state).sort()).toEqual(['created', 'redirected']);
});

test('the waiting page for a busy provider keeps the device of the referring page', async () => {
  const api = await createTestApi();
  await press(api, '/dev/pay', { how: 'busy' });
  const headers = { ...OWN_NAVIGATION, referer: `${api.origin}/plans?${WHO}` };

  const res = await api.visit('/api/create-payment?mode=2', headers);

  expect(res.status).toBe(503);
  expect(res.headers.get('refresh')).toContain(`/api/create-payment?mode=2&${WHO}&date=`);
});

test('a click at the same time for another device or zone is a separate order', async () => {
  const api = await createTestApi();
  const begin = (who: string) => api.visit(`/api/create-payment?${who}&mode=2&date=2026-01-15T12:00:00.000Z`);

  const answers = [
    await begin(WHO),
    await begin('hwid=device-1234&zone=zone-2'),
    await begin('hwid=device-5678&zone=zone-1'),
  ];

  expect(new Set(answers.map(requireLocation)).size).toBe(3);
  const orders = await api.db.selectFrom('purchaseOrder').select('zoneHmac').orderBy('createdAt').execute();
  expect(new Set(orders.map(({ zoneHmac }) => zoneHmac)).size).toBe(2);
});

test('an order is audited once, however often its click is repeated', async () => {
  const api = await createTestApi();
  for (let times = 0; times < 3; times++) await buy(api);

  await sealAudit(api.db);
  const begun = await api.db.selectFrom('auditEvent').select('code').where('kind', '=', 'order').execute();
  expect(begun).toEqual([{ code: 'begun' }]);
});

test('repeating a paid click redirects to the success page', async () => {
  const api = await createTestApi();
  const page = await buy(api, '1');
  const back = await press(api, page, { action: 'pay' });

  expect(await buy(api, '1')).toBe(`/success-basic?ref=${refOf(back) ?? ''}`);
});

test.each([
  { what: 'whose payment failed', change: { state: 'failed' } },
  { what: 'that was left until it ended', change: { state: 'expired' } },
  { what: 'whose page has ended', change: { expiresAt: 1 } },
] as const)(
  'a click $what leads to the page for failed payments, and the next click can be paid',
  async ({ change }) => {
    const api = await createTestApi();
    await buy(api);
    await api.db.updateTable('purchaseOrder').set(change).execute();

    expect(await buy(api)).toBe(`/payment-failed?${WHO}`);
    expect(await buy(api, '2', '2026-01-15T12:00:01.000Z')).toContain('/dev/pay/');
  },
);

test('a plan that runs for more than two weeks cannot be bought again, and one that ends sooner can', async () => {
  const api = await createTestApi();
  await press(api, await buy(api), { action: 'pay' });

  expect(await buy(api, '3', '2026-01-16T12:00:00.000Z')).toBe(`/plans?${WHO}`);
  api.pass(16 * DAY);
  await press(api, await buy(api, '1', '2026-02-01T12:00:00.000Z'), { action: 'pay' });

  expect(await (await api.ask('/api/plan-status?hwid=device-1234')).json()).toMatchObject({
    plan: { id: 'plus', until: api.now() + (14 + 7) * DAY },
  });
});

test('the consent of the buyer is stored once the order is paid', async () => {
  const api = await createTestApi();
  const page = await buy(api);
  const agree = (ref: string) => api.post('/api/order-consent', { ref, showsName: true, wantsReminder: true });
  const orderId = (await api.db.selectFrom('purchaseOrder').select('id').executeTakeFirstOrThrow()).id;

  expect((await agree(orderId)).status).toBe(404);
  await press(api, page, { action: 'pay' });
  expect(await readOrder(api, orderId)).toMatchObject({ showsName: false, wantsReminder: false });
  expect((await agree(orderId)).status).toBe(204);

  expect(await readOrder(api, orderId)).toMatchObject({ showsName: true, wantsReminder: true });
});

test('threat 60: a link without a device buys for the device of our referring page, and not for that of another site', async () => {
  const api = await createTestApi();
  const follow = (referer: string, site = 'same-origin') =>
    api.visit('/api/create-payment?mode=2', {
      ...OWN_NAVIGATION,
      'sec-fetch-site': site,
      referer,
      accept: 'text/html',
    });

  const begun = await follow(`${api.origin}/plans?${WHO}&os=ios`);
  expect([begun.status, begun.headers.get('location')]).toEqual([303, expect.stringContaining('/dev/pay/')]);
  await press(api, requireLocation(begun), { action: 'pay' });
  expect(await (await api.ask('/api/plan-status?hwid=device-1234')).json()).toMatchObject({ plan: { id: 'plus' } });

  for (const referer of ['', 'nothing', `${api.origin}/plans`, `https://evil.example/plans?${WHO}`]) {
    const res = await follow(referer);
    expect(res.status, referer).toBe(400);
    expect(await res.text()).toContain('Open it again from inside the app.');
  }
  expect(await (await follow(`${api.origin}/plans?${WHO}`, 'cross-site')).text()).toContain('Continue to payment?');
});
