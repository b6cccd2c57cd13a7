import { PLANS } from '@app/contracts/plans';
import { expect, test } from 'vitest';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { beginOrder, buildCheckout } from '#api/test/product/build-checkout.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { beginPayment } from './checkout.ts';

const CLICK = { claim: { hwid: 'device-1234', zone: 'zone-1' }, plan: PLANS[1], date: '2026-01-15T12:00:00.000Z' };

describeEachDatabase('starting a payment', (db) => {
  test('an unreachable provider fails the payment and the reason is logged', async () => {
    const away = new ProviderError('Stripe did not answer', { failure: 'unreached' });
    const { checkout } = buildCheckout(db(), { createSession: () => Promise.reject(away) });
    const warned: unknown[] = [];
    checkout.log.warn = (...said: unknown[]) => void warned.push(said);

    expect(await beginPayment(checkout, CLICK)).toEqual({ kind: 'failed' });

    expect(warned).toEqual([[{ reason: 'Stripe did not answer' }, 'payment provider unavailable']]);
  });

  test('a busy provider is retried at growing intervals for three minutes', async () => {
    const busy = new ProviderError('Stripe has too much to do', { failure: 'declined', waitMs: 5000 });
    const { checkout, clock } = buildCheckout(db(), { createSession: () => Promise.reject(busy) });
    const waits: number[] = [];

    for (;;) {
      const begun = await beginPayment(checkout, CLICK);
      if (begun.kind !== 'wait') break;
      waits.push(begun.seconds);
      clock.at += begun.seconds * 1000;
    }

    expect(waits).toEqual([5, 5, 10, 20, 40, 80, 160]);
    expect(await beginPayment(checkout, CLICK)).toEqual({ kind: 'failed' });
    expect(await db().selectFrom('purchaseOrder').select('id').execute()).toHaveLength(1);
  });

  test('an unexpected error is thrown and does not become a failed payment', async () => {
    const { checkout } = buildCheckout(db(), {
      createSession: () => Promise.reject(new TypeError('a mistake of ours')),
    });

    await expect(beginPayment(checkout, CLICK)).rejects.toThrow('a mistake of ours');
  });

  test('a redirected order has its payment page and expiry', async () => {
    const { checkout, clock } = buildCheckout(db());
    const id = await beginOrder(checkout);

    const order = await db().selectFrom('purchaseOrder').selectAll().executeTakeFirstOrThrow();
    expect(order).toMatchObject({
      id,
      state: 'redirected',
      providerRef: `cs_${id}`,
      providerUrl: `https://pay.example/${id}`,
      expiresAt: clock.at + 86_400_000,
      amountCents: 299,
      currency: 'eur',
    });
  });
});
