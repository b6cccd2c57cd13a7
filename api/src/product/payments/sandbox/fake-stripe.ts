import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import type { StripeAccount } from '#api/product/payments/stripe.ts';
import { fakeApi, type Misbehaviour } from './fake-api.ts';
import { fakePages, PAGES_PATH } from './fake-pages.ts';
import { createDeliver, type FakeSession } from './fake-session.ts';

interface FakeStripeOptions {
  webhookUrl: () => string;
  now: () => number;
  /** The origin of the buyers' pages. By default the one at which a session is made. */
  pageOrigin?: () => string;
  /** By default they are made up. */
  secretKey?: string;
  webhookSecret?: string;
  /** How long a late event waits, in milliseconds. */
  lateMs?: number;
}

/**
 * Creates the fake Stripe of development and tests. It answers the calls that we use as Stripe does, has the page where
 * a buyer pays, and sends signed events. It keeps its data in memory.
 */
export function createFakeStripe({
  webhookUrl,
  now,
  pageOrigin,
  secretKey = `sk_test_${randomBytes(24).toString('hex')}`,
  webhookSecret = `whsec_${randomBytes(24).toString('hex')}`,
  lateMs = 3000,
}: FakeStripeOptions) {
  const sessions = new Map<string, FakeSession>();
  const deliver = createDeliver({ webhookUrl, webhookSecret, now, lateMs });
  let wrong: Misbehaviour | undefined;
  const misbehaviour = () => wrong;
  /** Makes the API answer wrongly from now on, or with undefined rightly again. */
  const misbehave = (how: Misbehaviour | undefined) => void (wrong = how);

  const api = fakeApi({
    sessions,
    secretKey,
    deliver,
    now,
    misbehaviour,
    pageOrigin: (req) => pageOrigin?.() ?? `${req.protocol}://${req.get('host') ?? ''}`,
  });
  const router = Router()
    .use('/v1', api)
    .use(PAGES_PATH, fakePages({ sessions, deliver, now, misbehaviour, misbehave }));

  return {
    /** What it serves, at the root of a server: its API below `/v1`, and its pages below `/dev/pay`. */
    router,
    misbehave,
    /** The account with which our server reaches it. */
    account: ({ apiOrigin, pageOrigin: page }: { apiOrigin: string; pageOrigin: string }): StripeAccount => ({
      secretKey,
      webhookSecret,
      apiOrigin,
      pageOrigins: [page],
    }),
  };
}
