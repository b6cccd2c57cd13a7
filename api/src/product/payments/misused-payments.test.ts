import { expect, test } from 'vitest';
import { buy, countRows, press, readKey, refOf } from '#api/test/product/buyer-steps.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { WHO } from '#api/test/product/visitor-steps.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

test('threat 25: a message without the signature of the provider is rejected', async () => {
  const api = await createTestApi();

  for (const signature of [undefined, 't=1,v1=00']) {
    const res = await api.ask('/api/payment-webhook', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
      body: JSON.stringify({ id: 'evt_1', type: 'checkout.session.completed' }),
    });
    expect(res.status).toBe(400);
    expect(await res.json()).toMatchObject({ code: 'PAY_SIGNATURE' });
  }
});

test('threat 24: a payment that does not match its order is logged for an operator without the buyer', async () => {
  const api = await createTestApi();
  const page = await buy(api);
  await api.db.updateTable('purchaseOrder').set({ amountCents: 1 }).execute();

  await press(api, page, { action: 'pay', email: 'ada@example.com' });

  const told = api.logged.filter((line) => line.includes('a payment needs an operator'));
  expect(told.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 50, why: 'other amount or currency' },
  ]);
  expect(api.logged.join()).not.toContain('ada@');
});

test('threat 26: opening the address of a success page grants nothing', async () => {
  const api = await createTestApi();

  for (const ref of ['', 'x', 'a'.repeat(34), "' or 1=1"]) {
    const res = await api.ask(`/api/order-status?ref=${encodeURIComponent(ref)}`);
    expect(res.status).toBe(404);
    expect(await res.json()).toMatchObject({ code: 'PAY_ORDER' });
  }
  expect(await countRows(api, 'licencePeriod')).toBe(0);
  expect(await readKey(api)).toMatchObject({ status: 'none' });
});

test('without a payment provider the page for failed payments explains it', async () => {
  const api = await createTestApi({ stripe: undefined });

  expect(await buy(api)).toBe(`/payment-failed?${WHO}`);
  expect(await countRows(api, 'device')).toBe(0);
});

test('the provider receives neither the device nor the zone', async () => {
  const api = await createTestApi();
  const page = await (await api.ask(await buy(api))).text();

  expect(page).not.toMatch(/device-1234|zone-1/);
  expect(api.logged.join()).not.toMatch(/device-1234|zone-1/);
});

test('a blocked device can buy nothing and gets no key from its plan', async () => {
  const api = await createTestApi();
  await press(api, await buy(api), { action: 'pay' });
  await api.db.updateTable('device').set({ blockReason: 'cheats' }).execute();

  expect(await (await api.ask(`/api/key?${WHO}`)).json()).toMatchObject({ status: 'blocked' });
  api.pass(20 * DAY);
  expect(await buy(api, '1', '2026-02-05T12:00:00.000Z')).toBe(`/payment-failed?${WHO}`);
});

test('threat 24: the date sent by the client does not affect the plan', async () => {
  const api = await createTestApi();

  for (const date of ['&date=soon', '&date=', '&date=1&date=2', '']) {
    const res = await api.visit(`/api/create-payment?${WHO}&mode=1${date}`);
    expect(res.headers.get('location')).toContain('/dev/pay/');
  }
});

test('threat 26: the order number on a receipt does not reveal the device', async () => {
  const api = await createTestApi();
  const page = await buy(api);
  const ref = refOf(await press(api, page, { action: 'pay', webhook: 'never' })) ?? '';
  const comeBack = async () => (await api.ask(`/api/payment-return?ref=${ref}`)).headers.get('location');
  expect(await comeBack()).toBe(`/payment-failed?${WHO}&cancelled`);

  await press(api, page, { action: 'deliver' });
  expect((await api.mails())[0]?.text).toContain(ref);
  expect(await comeBack()).toBe('/payment-failed');

  await press(api, page, { action: 'refund' });
  expect(await comeBack()).toBe('/payment-failed');
});

test('repeated consents of a buyer are rate-limited, because each is audited', async () => {
  const api = await createTestApi();
  const ref = refOf(await press(api, await buy(api), { action: 'pay' }));
  const agree = async () =>
    (await api.post('/api/order-consent', { ref, showsName: true, wantsReminder: true })).status;

  for (let times = 0; times < 30; times++) expect(await agree()).toBe(204);
  expect(await agree()).toBe(429);
  api.pass(HOUR);
  expect(await agree()).toBe(204);
});
