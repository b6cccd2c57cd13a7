import { buffer } from 'node:stream/consumers';
import { PLANS } from '@app/contracts/plans';
import express from 'express';
import type { SessionRequest } from '#api/product/payments/stripe.ts';
import { createFakeStripe } from '#api/product/payments/sandbox/fake-stripe.ts';
import { createStripe } from '#api/product/payments/stripe.ts';
import { listen } from '#api/test/listen.ts';

export const SESSION_REQUEST: SessionRequest = {
  orderId: 'order-1234567890-abcdef',
  plan: PLANS[1],
  amountCents: 299,
  currency: 'eur',
  successUrl: 'https://site.example/success-plus?ref=order-1234567890-abcdef',
  cancelUrl: 'https://site.example/api/payment-return?ref=order-1234567890-abcdef&result=cancelled',
};

/** A message that the fake Stripe has sent to the webhook. */
interface Message {
  body: Buffer;
  signature: string;
}

/** Starts the fake Stripe on a port of its own, and our adapter with it as its account. */
export async function createStripeFixture({ timeoutMs = 5000 }: { timeoutMs?: number } = {}) {
  let time = Date.UTC(2026, 0, 15, 12);
  const now = () => time;
  const messages: Message[] = [];

  const site = await listen((req, res) => {
    void buffer(req).then((body) => {
      messages.push({ body, signature: String(req.headers['stripe-signature']) });
      res.end();
    });
  });
  const fake = createFakeStripe({ webhookUrl: () => `${site}/api/payment-webhook`, now, lateMs: 0 });
  const origin = await listen(express().use(fake.router));
  const account = fake.account({ apiOrigin: origin, pageOrigin: origin });
  const stripe = createStripe({ account: () => account, now, timeoutMs });

  return {
    origin,
    account,
    fake,
    stripe,
    messages,
    now,
    pass: (ms: number) => {
      time += ms;
    },
    /** Presses a button on the page of a session. */
    press: (url: string, fields: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
    /** Reads all messages so far, in the order of their arrival. */
    readAll: () => Promise.all(messages.map(({ body, signature }) => stripe.readEvent(body, signature))),
  };
}
