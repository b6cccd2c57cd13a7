import type { Router } from 'express';
import type { PaymentProvider } from '#api/product/payments/payment-provider.ts';
import { createFakeStripe } from '#api/product/payments/sandbox/fake-stripe.ts';
import { createStripe } from '#api/product/payments/stripe.ts';
import type { AppDeps } from './app-deps.ts';

interface Payments {
  /** Undefined when nobody can buy. */
  provider: PaymentProvider | undefined;
  /** The fake Stripe of a development machine. */
  sandbox: Router | undefined;
}

/** Creates the provider of payments: Stripe, or on a development machine the fake one. */
export function openPayments({ stripe, baseUrl, selfOrigin, now, log }: AppDeps): Payments {
  if (stripe === undefined) {
    log.warn('nobody can buy a plan: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set');
    return { provider: undefined, sandbox: undefined };
  }
  if (stripe !== 'sandbox') return { provider: createStripe({ account: () => stripe, now }), sandbox: undefined };

  const fake = createFakeStripe({ webhookUrl: () => `${selfOrigin()}/api/payment-webhook`, pageOrigin: baseUrl, now });
  const account = () => fake.account({ apiOrigin: selfOrigin(), pageOrigin: baseUrl() });
  return { provider: createStripe({ account, now }), sandbox: fake.router };
}
