import type { Env } from '#api/foundation/settings/env.ts';

const API_ORIGIN = 'https://api.stripe.com';
const PAGE_ORIGIN = 'https://checkout.stripe.com';

/** The operator's account with Stripe. */
export interface StripeAccount {
  secretKey: string;
  /** Stripe signs its events for our webhook with it. */
  webhookSecret: string;
  /** The origin of Stripe's API, or of a server that stands in for it. */
  apiOrigin: string;
  /** The origins of the pages that a buyer may be sent to. */
  pageOrigins: readonly string[];
}

/**
 * Reads the account from the settings.
 * @returns `sandbox`: the fake Stripe of a development machine; undefined: production without an account, where nobody
 * can buy
 */
export function readStripeAccount(env: Env): StripeAccount | 'sandbox' | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, TEST_STRIPE_ORIGIN: standIn } = env;
  if (secretKey === undefined || webhookSecret === undefined)
    return env.NODE_ENV === 'production' ? undefined : 'sandbox';

  return { secretKey, webhookSecret, apiOrigin: standIn ?? API_ORIGIN, pageOrigins: [standIn ?? PAGE_ORIGIN] };
}
