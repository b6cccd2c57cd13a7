import type { Router } from 'express';
import type { Site } from '#api/foundation/module.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createFakeStripe } from './sandbox/fake-stripe.ts';
import { createStripe, type StripeAccount } from './stripe.ts';

interface Payments {
  /** Undefined where no plan can be bought. */
  provider: PaymentProvider | undefined;
  /** The fake Stripe of a development machine. */
  sandbox: Router | undefined;
}

/** Creates the provider of payments: Stripe, or on a development machine the fake one. */
export function openPayments(
  { baseUrl, selfOrigin, now, log }: Site,
  stripe: StripeAccount | 'sandbox' | undefined,
): Payments {
  if (stripe === undefined) {
    log.warn('no plan can be bought: STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not set');
    return { provider: undefined, sandbox: undefined };
  }
  if (stripe !== 'sandbox') return { provider: createStripe({ account: () => stripe, now }), sandbox: undefined };

  const fake = createFakeStripe({ webhookUrl: () => `${selfOrigin()}/api/payment-webhook`, pageOrigin: baseUrl, now });
  const account = () => fake.account({ apiOrigin: selfOrigin(), pageOrigin: baseUrl() });
  return { provider: createStripe({ account, now }), sandbox: fake.router };
}
