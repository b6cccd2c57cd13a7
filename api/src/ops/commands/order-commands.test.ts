import { expect, test } from 'vitest';
import { createOrderCipher } from '#api/product/payments/checkout.ts';
import type { PaymentProvider } from '#api/product/payments/stripe.ts';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { T0 } from '#api/test/build-rows.ts';
import { TEST_PEPPER } from '#api/test/create-test-api.ts';
import { insertOrder } from '#api/test/product/insert-order.ts';
import { openTerminal } from '#api/test/programs/open-terminal.ts';

const EMAIL = 'ada@example.com';
const refuseCall = () => Promise.reject(new Error('This call was not expected.'));

/** A provider that notes what it is to give back. */
function fakeProvider(refund: PaymentProvider['refund'] = () => Promise.resolve()) {
  const asked: unknown[] = [];
  const provider: PaymentProvider = {
    id: 'stripe',
    createSession: refuseCall,
    readEvent: refuseCall,
    refund: (order) => {
      asked.push(order);
      return refund(order);
    },
  };
  return { provider, asked };
}

test('orders are listed from the newest and filtered by time, state and count', async () => {
  const { api, ask, type } = await openTerminal();
  await insertOrder(api.db, { id: 'first', createdAt: T0 - 86_400_000 });
  await insertOrder(api.db, { id: 'second', mode: 1, amountCents: 99, state: 'redirected', paidAt: null });
  await insertOrder(api.db, { id: 'third', createdAt: T0 + 1, state: 'refunded', refundedAt: T0 + 2 });
  const listIds = async (...argv: string[]) =>
    ((await ask('order', 'list', ...argv)) as { id: string }[]).map(({ id }) => id);

  expect(await listIds()).toEqual(['third', 'second', 'first']);
  expect(await listIds('--lines', '1')).toEqual(['third']);
  expect(await listIds('--state', 'paid')).toEqual(['first']);
  expect(await listIds('--since', new Date(T0).toISOString())).toEqual(['third', 'second']);
  expect((await type('order', 'list')).out.split('\n')[2]).toMatch(
    /^\S+ \S+Z +second +basic +0,99\u00a0€ +redirected$/,
  );
});

test('an order is shown with its times and its payments, and its mail address is masked', async () => {
  const { api, ask, say, type } = await openTerminal();
  const sealedBuyer = createOrderCipher(TEST_PEPPER).sealBuyer('order', { email: EMAIL, name: 'Ada Lovelace' });
  await insertOrder(api.db, { id: 'order', sealedBuyer, countryCode: 'GB' });

  expect(await ask('order', 'show', 'order')).toMatchObject({
    id: 'order',
    plan: 'plus',
    amountCents: 299,
    state: 'paid',
    email: 'a***@example.com',
    country: 'GB',
    paymentRef: 'pi_order',
    paidAt: T0,
    refundedAt: null,
    period: null,
  });
  const { out } = await type('order', 'show', 'order');
  expect(out).toMatch(/price +2,99\u00a0€/);
  expect(out).toMatch(/state +paid/);
  for (const hidden of [EMAIL, 'Lovelace']) expect(out).not.toContain(hidden);
  expect(await say('order', 'show', 'unknown')).toEqual([1, 'There is no such order; see: order list.']);
});

test('a refund is requested from the provider and audited, and the order changes once the provider confirms it', async () => {
  const { provider, asked } = fakeProvider();
  const { api, ask, say, listAudit } = await openTerminal({ provider });
  await insertOrder(api.db, { id: 'order' });

  expect(await say('order', 'refund', 'order', '--reason', 'asked for it')).toEqual([
    0,
    expect.stringMatching(/^2,99\u00a0€ are given back\./) as string,
  ]);
  expect(asked).toEqual([{ orderId: 'order', paymentRef: 'pi_order' }]);
  expect(await ask('order', 'show', 'order')).toMatchObject({ state: 'paid' });
  expect(await listAudit()).toMatchObject([
    { kind: 'order', code: 'refund asked', detail: expect.stringContaining('"reason":"asked for it"') as string },
  ]);
});

test.each([
  { what: 'an open order', changes: { state: 'redirected', paidAt: null }, said: 'This order is redirected' },
  { what: 'a refunded order', changes: { state: 'refunded', refundedAt: T0 }, said: 'This order is refunded' },
] as const)('$what is not refunded', async ({ changes, said }) => {
  const { provider, asked } = fakeProvider();
  const { api, type } = await openTerminal({ provider });
  await insertOrder(api.db, { id: 'order', ...changes });

  const { code, err } = await type('order', 'refund', 'order', '--reason', 'x');

  expect(code).toBe(1);
  expect(err).toContain(said);
  expect(await type('order', 'refund', 'unknown', '--reason', 'x')).toMatchObject({ code: 1 });
  expect(asked).toEqual([]);
});

test('a refund without a provider, or one the provider does not answer, is reported and not audited', async () => {
  const away = fakeProvider(() => Promise.reject(new ProviderError('Stripe did not answer', { failure: 'unreached' })));
  for (const options of [{ provider: away.provider }, {}]) {
    const { api, type, listAudit } = await openTerminal(options);
    await insertOrder(api.db, { id: 'order' });

    const { code, err } = await type('order', 'refund', 'order', '--reason', 'x');

    expect(code).toBe(1);
    expect(err).toMatch('provider' in options ? /^Stripe did not answer\. Type the same again/ : /knows no account/);
    expect(await listAudit()).toEqual([]);
  }
});
