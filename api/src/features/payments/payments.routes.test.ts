import { expect, test } from 'vitest';
import type { OrderStatus } from '@app/contracts/till';
import { sql } from 'kysely';
import { createTestApi, OWN_NAVIGATION, type TestApi } from '#api/test/create-test-api.ts';
import { requireLocation, WHO } from '#api/test/visitor-steps.ts';

const DAY = 24 * 60 * 60 * 1000;
const BUY = `/api/create-payment?${WHO}&mode=2&date=2026-01-15T12:00:00.000Z`;

/** Follows the button of a plan, and returns the address of the provider's page. */
async function buy(api: TestApi, mode = '2', date = '2026-01-15T12:00:00.000Z'): Promise<string> {
  const res = await api.visit(`/api/create-payment?${WHO}&mode=${mode}&date=${date}`);
  expect(res.status).toBe(303);
  expect(res.headers.get('referrer-policy')).toBe('no-referrer');
  expect(res.headers.get('cache-control')).toBe('no-store');
  return requireLocation(res);
}

/** Presses a button on the provider's page, and returns where it leads. */
async function press(api: TestApi, page: string, fields: Record<string, string>): Promise<string> {
  const res = await api.ask(page, { method: 'POST', body: new URLSearchParams(fields) });
  return requireLocation(res);
}

const readOrder = async (api: TestApi, ref: string | null) =>
  (await (await api.ask(`/api/order-status?ref=${ref ?? ''}`)).json()) as OrderStatus;

const refOf = (address: string) => new URL(address, 'https://site.example').searchParams.get('ref');

const readKey = async (api: TestApi, app = 'main') =>
  (await (await api.ask(`/api/key?${WHO}&app=${app}`)).json()) as { status: string; key: string; expiresAt: number };

const countRows = async (api: TestApi, table: 'purchaseOrder' | 'licencePeriod' | 'device') =>
  (await api.db.selectFrom(table).select(sql.lit(1).as('one')).execute()).length;

test.each([
  { mode: '1', plan: 'basic', days: 7 },
  { mode: '2', plan: 'plus', days: 30 },
  { mode: '3', plan: 'premium', days: 365 },
])('$plan is paid, and from then on the device needs no key system, in both apps', async ({ mode, plan, days }) => {
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

test('until the provider has told of the payment, nothing is granted', async () => {
  const api = await createTestApi();
  const page = await buy(api);

  const back = await press(api, page, { action: 'later' });
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'redirected', activeUntil: null });
  expect(await readKey(api)).toMatchObject({ status: 'none' });

  await press(api, page, { action: 'confirm' });
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'paid' });
  expect(await readKey(api)).toMatchObject({ status: 'active' });
});

test('who cancels comes back to the page for failed payments, with the device', async () => {
  const api = await createTestApi();
  const back = await press(api, await buy(api), { action: 'cancel' });

  const res = await api.ask(back);

  expect(requireLocation(res)).toBe(`/payment-failed?${WHO}`);
  expect(res.headers.get('referrer-policy')).toBe('no-referrer');
});

test('a refund ends the plan, and the keys that it gave', async () => {
  const api = await createTestApi();
  const page = await buy(api);
  const back = await press(api, page, { action: 'pay' });
  const { key } = await readKey(api);

  await press(api, page, { action: 'refund' });

  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'refunded', activeUntil: null });
  expect(await readKey(api)).toMatchObject({ status: 'none' });
  const check = await api.post('/api/key/verify', { key, app: 'main', hwid: 'device-1234' });
  expect(await check.json()).toMatchObject({ valid: false, code: 'REVOKED' });
});

test.each(['twice', 'out_of_order', 'bad_signature', 'too_old'])(
  'threat 25: messages that come %s give one period or none, as they should',
  async (webhook) => {
    const api = await createTestApi();
    const page = await buy(api);

    const back = await press(api, page, { action: 'pay', webhook });

    const expected = { twice: 'paid', out_of_order: 'refunded' }[webhook] ?? 'redirected';
    expect(await readOrder(api, refOf(back))).toMatchObject({ state: expected });
    expect(await countRows(api, 'licencePeriod')).toBe(expected === 'paid' ? 1 : 0);
  },
);

test('threat 25: a message that comes after the browser counts, and again counts for nothing', async () => {
  const api = await createTestApi();
  const page = await buy(api);
  const back = await press(api, page, { action: 'pay', webhook: 'never' });
  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'redirected' });

  for (let times = 0; times < 3; times++) await press(api, page, { action: 'deliver' });

  expect(await readOrder(api, refOf(back))).toMatchObject({ state: 'paid' });
  expect(await countRows(api, 'licencePeriod')).toBe(1);
});

test('threat 25: a message without the provider’s signature is refused', async () => {
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

test('threat 26: whoever types the address of a success page gets nothing', async () => {
  const api = await createTestApi();

  for (const ref of ['', 'x', 'a'.repeat(34), "' or 1=1"]) {
    const res = await api.ask(`/api/order-status?ref=${encodeURIComponent(ref)}`);
    expect(res.status).toBe(404);
    expect(await res.json()).toMatchObject({ code: 'PAY_ORDER' });
  }
  expect(await countRows(api, 'licencePeriod')).toBe(0);
  expect(await readKey(api)).toMatchObject({ status: 'none' });
});

test('one click is one order and one page, however often it is followed', async () => {
  const api = await createTestApi();

  const pages = [await buy(api), await buy(api), await buy(api)];
  expect(new Set(pages).size).toBe(1);
  expect(await countRows(api, 'purchaseOrder')).toBe(1);

  expect(await buy(api, '2', '2026-01-15T12:00:01.000Z')).not.toBe(pages[0]);
  expect(await buy(api, '1')).not.toBe(pages[0]);
  expect(await countRows(api, 'purchaseOrder')).toBe(3);
});

test('who goes back to a click that was paid sees that it is', async () => {
  const api = await createTestApi();
  const page = await buy(api, '1');
  const back = await press(api, page, { action: 'pay' });

  expect(await buy(api, '1')).toBe(`/success-basic?ref=${refOf(back) ?? ''}`);
});

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

test('the provider is down: nothing is charged, and the same click works when it is back', async () => {
  const api = await createTestApi();
  await api.ask('/dev/pay', { method: 'POST', body: new URLSearchParams({ how: 'error' }) });

  expect(await buy(api)).toBe(`/payment-failed?${WHO}`);
  await api.ask('/dev/pay', { method: 'POST', body: new URLSearchParams({ how: 'right' }) });

  expect(await buy(api)).toContain('/dev/pay/');
  expect(await countRows(api, 'purchaseOrder')).toBe(1);
});

test('where no payments are taken, the page for failed ones says so', async () => {
  const api = await createTestApi({ stripe: undefined });

  expect(await buy(api)).toBe(`/payment-failed?${WHO}`);
  expect(await countRows(api, 'device')).toBe(0);
});

test('the provider learns neither the device nor the zone', async () => {
  const api = await createTestApi();
  const page = await (await api.ask(await buy(api))).text();

  expect(page).not.toMatch(/device-1234|zone-1/);
  expect(api.logged.join()).not.toMatch(/device-1234|zone-1/);
});

test('what the buyer agrees to is kept; nobody can agree for an order that is not paid', async () => {
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

test('a blocked device can buy nothing, and gets no key from its plan', async () => {
  const api = await createTestApi();
  await press(api, await buy(api), { action: 'pay' });
  await api.db.updateTable('device').set({ blockReason: 'cheats' }).execute();

  expect(await (await api.ask(`/api/key?${WHO}`)).json()).toMatchObject({ status: 'blocked' });
  api.pass(20 * DAY);
  expect(await buy(api, '1', '2026-02-05T12:00:00.000Z')).toBe(`/payment-failed?${WHO}`);
});

test('threat 24: the date of the visitor’s clock counts for nothing', async () => {
  const api = await createTestApi();

  for (const date of ['&date=soon', '&date=', '&date=1&date=2', '']) {
    const res = await api.visit(`/api/create-payment?${WHO}&mode=1${date}`);
    expect(res.headers.get('location')).toContain('/dev/pay/');
  }
});

test('without a zone, none is passed on', async () => {
  const api = await createTestApi({ stripe: undefined });

  const res = await api.visit('/api/create-payment?hwid=device-1234&mode=1');

  expect(res.headers.get('location')).toBe('/payment-failed?hwid=device-1234');
});

test.each([
  { query: `${WHO}&mode=4`, code: 'PAY_MODE' },
  { query: `${WHO}&mode=0`, code: 'PAY_MODE' },
  { query: `${WHO}&mode=1.0`, code: 'PAY_MODE' },
  { query: `${WHO}&mode=1&mode=2`, code: 'PAY_MODE' },
  { query: WHO, code: 'PAY_MODE' },
  { query: 'zone=zone-1&mode=1', code: 'KS_HWID' },
  { query: 'hwid=<script>&mode=1', code: 'KS_HWID' },
  { query: 'hwid=device-1234&zone=%0d%0a&mode=1', code: 'KS_ZONE' },
])('threat 24: $query is refused with $code', async ({ query, code }) => {
  const api = await createTestApi();

  const res = await api.visit(`/api/create-payment?${query}`);

  expect(res.status).toBe(400);
  expect(res.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(await res.json()).toMatchObject({ code });
});

test('threat 23: a link of another site asks first', async () => {
  const api = await createTestApi();

  const res = await api.visit(BUY, { ...OWN_NAVIGATION, 'sec-fetch-site': 'cross-site' });
  const page = await res.text();

  expect(res.status).toBe(200);
  expect(page).toContain('<h1>Continue to payment?</h1>');
  expect(page).toContain(`href="${BUY.replaceAll('&', '&amp;')}"`);
});

test.each([
  {
    what: 'an image',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  },
  {
    what: 'a frame',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  },
  { what: 'a prefetch', headers: { ...OWN_NAVIGATION, 'sec-purpose': 'prefetch' } },
])('threat 23: $what of another site starts nothing', async ({ headers }) => {
  const api = await createTestApi();

  const res = await api.visit(BUY, headers);

  expect(res.status).toBe(403);
  expect(await res.text()).toBe('');
});
