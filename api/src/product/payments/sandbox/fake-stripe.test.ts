import { describe, expect, test } from 'vitest';
import { createTestApi } from '#api/test/create-test-api.ts';
import { SESSION_REQUEST, createStripeFixture } from '#api/test/product/stripe-fixture.ts';
import type { StripeAccount } from '#api/product/payments/stripe.ts';

const ACCOUNT: StripeAccount = {
  secretKey: 'sk_live_1234567890',
  webhookSecret: 'whsec_1234567890123456',
  apiOrigin: 'https://api.stripe.com',
  pageOrigins: ['https://checkout.stripe.com'],
};

async function openCheckout() {
  const fixture = await createStripeFixture();
  const { url, ref } = await fixture.stripe.createSession(SESSION_REQUEST);
  const read = async (address = url) => (await fetch(address)).text();
  const buttons = async () =>
    [...(await read()).matchAll(/<button[^>]* name="action" value="(\w+)"/g)].map(([, action]) => action);

  return { ...fixture, url, ref, read, buttons };
}

describe('the payment page of the fake Stripe', () => {
  test('the fake payment page says that no money moves and offers the actions of a buyer and a bank', async () => {
    const { url, read, press, buttons } = await openCheckout();

    expect(await read()).toContain('TEST MODE – no money');
    expect(await read()).not.toMatch(/<script|style=/);
    expect(await buttons()).toEqual(['pay', 'later', 'decline', 'cancel', 'expire']);

    await press(url, { action: 'later' });
    expect(await buttons()).toEqual(['confirm', 'refuse', 'deliver']);

    await press(url, { action: 'confirm' });
    expect(await buttons()).toEqual(['refund', 'inquire', 'dispute', 'deliver']);
    expect(await read()).toContain('<li>checkout.<wbr>session.<wbr>async_payment_succeeded: 200</li>');

    await press(url, { action: 'refund' });
    expect(await buttons()).toEqual(['deliver']);
    expect(await read()).toContain('The payment has been refunded.');
  });

  test('the fake payment page leads a buyer back to the site and a developer to itself', async () => {
    const { url, press, pass } = await openCheckout();
    const leadsTo = async (fields: Record<string, string>) => (await press(url, fields)).headers.get('location');
    const page = new URL(url).pathname;

    expect(await leadsTo({ action: 'cancel' })).toBe(SESSION_REQUEST.cancelUrl);
    expect(await leadsTo({ action: 'decline' })).toBe(`${page}?note=declined`);
    pass(24 * 60 * 60 * 1000);
    expect(await leadsTo({ action: 'pay' })).toBe(page);
    expect(await leadsTo({ action: 'expire' })).toBe(page);
  });

  test('the fake payment page rejects what none of its forms sends', async () => {
    const { url, press, origin, messages } = await openCheckout();

    for (const fields of [
      {},
      { action: 'rob' },
      { action: 'pay', webhook: 'often' },
      { action: 'pay', country: 'Germany' },
    ]) {
      expect((await press(url, fields)).status).toBe(400);
    }
    expect((await press(`${origin}/dev/pay/cs_unknown`, { action: 'pay' })).status).toBe(400);
    expect(messages).toEqual([]);
  });

  test('the fake payment page escapes input', async () => {
    const fixture = await createStripeFixture();
    const plan = { ...SESSION_REQUEST.plan, name: '<b>Plus</b>' } as unknown as typeof SESSION_REQUEST.plan;

    const { url } = await fixture.stripe.createSession({ ...SESSION_REQUEST, plan });

    expect(await (await fetch(url)).text()).toContain('Arceus X &lt;b&gt;Plus&lt;/b&gt;');
  });

  test('the list of fake payment pages has every page and can make Stripe fail', async () => {
    const { origin, ref, press, read, stripe } = await openCheckout();

    expect(await read(`${origin}/dev/pay`)).toContain(`href="/dev/pay/${ref}"`);
    await press(`${origin}/dev/pay`, { how: 'error' });
    await expect(stripe.createSession({ ...SESSION_REQUEST, orderId: 'another' })).rejects.toThrow('Stripe refused');
    await press(`${origin}/dev/pay`, { how: 'right' });
    await stripe.createSession({ ...SESSION_REQUEST, orderId: 'another' });
  });
});

describe('the API of the fake Stripe', () => {
  async function createCaller() {
    const { origin, account } = await createStripeFixture();
    const call = async (path: string, body: Record<string, string> | undefined, headers: Record<string, string> = {}) =>
      fetch(`${origin}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${account.secretKey}`, ...headers },
        ...(body && { body: new URLSearchParams(body) }),
      });
    return call;
  }

  const PARAMS = {
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '99',
    'line_items[0][price_data][product_data][name]': 'Plan',
    success_url: 'https://site.example/success',
  };

  test('the fake Stripe repeats its response for an idempotency key', async () => {
    const call = await createCaller();
    const key = { 'idempotency-key': 'one' };

    const first = (await (await call('/v1/checkout/sessions', PARAMS, key)).json()) as { id: string };
    const again = await call('/v1/checkout/sessions', PARAMS, key);
    const changed = await call('/v1/checkout/sessions', { ...PARAMS, mode: 'setup' }, key);

    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual(first);
    expect(changed.status).toBe(400);
    expect(await changed.json()).toMatchObject({ error: { type: 'idempotency_error' } });
  });

  test.each([
    { what: 'a wrong key', headers: { authorization: 'Bearer sk_test_wrong' }, status: 401 },
    { what: 'an unknown parameter', params: { colour: 'red' }, status: 400 },
    { what: 'less than Stripe takes', params: { 'line_items[0][price_data][unit_amount]': '49' }, status: 400 },
    {
      what: 'an amount that is no whole number',
      params: { 'line_items[0][price_data][unit_amount]': '9.9' },
      status: 400,
    },
    { what: 'an unknown call', path: '/v1/customers', status: 404 },
  ])(
    'the fake Stripe rejects $what with an error in the format of Stripe',
    async ({ path, params, headers, status }) => {
      const call = await createCaller();

      const res = await call(path ?? '/v1/checkout/sessions', { ...PARAMS, ...params }, headers);

      expect(res.status).toBe(status);
      expect(await res.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    },
  );
});

test('the fake Stripe of a development server accepts only its own keys', async () => {
  const api = await createTestApi();

  expect((await api.ask('/dev/pay')).status).toBe(200);
  expect((await api.ask('/dev/pay/sandbox.css')).headers.get('content-type')).toContain('text/css');
  expect((await api.ask('/v1/checkout/sessions', { method: 'POST' })).status).toBe(401);
});

test.each([
  { why: 'with a real account', stripe: ACCOUNT },
  { why: 'without an account', stripe: undefined },
])('threat 19: $why there is no fake Stripe', async ({ stripe }) => {
  const api = await createTestApi({ stripe });

  for (const path of ['/dev/pay', '/dev/pay/sandbox.css', '/dev/pay/cs_test_1', '/v1/checkout/sessions', '/v1/refunds'])
    for (const method of ['GET', 'POST']) expect((await api.ask(path, { method })).status, path).toBe(404);
});

test('a server without a payment account logs it at its start', async () => {
  const { logged } = await createTestApi({ stripe: undefined });

  expect(logged.join()).toContain('no plan can be bought');
});
