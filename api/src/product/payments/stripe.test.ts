import { expect, test } from 'vitest';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import { parseEnv } from '#api/foundation/settings/env.ts';
import { PRODUCTION } from '#api/test/production-settings.ts';
import { findDeadOrigin } from '#api/test/listen.ts';
import { SESSION_REQUEST, createStripeFixture } from '#api/test/product/stripe-fixture.ts';
import type { Misbehaviour } from './sandbox/fake-api.ts';
import { signBody } from './sandbox/fake-session.ts';
import texts from './sandbox/sandbox.en.json' with { type: 'json' };
import { BadSignature, createStripe, readStripeAccount } from './stripe.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A session whose buyer has paid, and the reference of the payment. */
async function createPaid() {
  const fixture = await createStripeFixture();
  const { url } = await fixture.stripe.createSession(SESSION_REQUEST);
  await fixture.press(url, { action: 'pay' });
  const [paid] = await fixture.readAll();
  if (paid?.kind !== 'paid' || paid.paymentRef === null) throw new Error('The fake has not told of the payment.');

  return { ...fixture, url, paymentRef: paid.paymentRef };
}

test('an order gets a payment page of the provider that expires after a day', async () => {
  const { stripe, origin, now } = await createStripeFixture();

  const session = await stripe.createSession(SESSION_REQUEST);

  expect(session).toEqual({
    ref: expect.stringMatching(/^cs_test_\w+$/) as string,
    url: `${origin}/dev/pay/${session.ref}`,
    expiresAt: now() + DAY_MS,
  });
  const page = await (await fetch(session.url)).text();
  expect(page).toContain('2,99\u00a0€');
  expect(page).toContain('Arceus X Plus, 30 days');
});

test('the same order gets the same payment page, also from two simultaneous requests', async () => {
  const { stripe } = await createStripeFixture();

  const sessions = await Promise.all([stripe.createSession(SESSION_REQUEST), stripe.createSession(SESSION_REQUEST)]);
  const again = await stripe.createSession(SESSION_REQUEST);

  expect(new Set([...sessions, again].map(({ ref }) => ref)).size).toBe(1);
});

test('threat 24: an order whose price has changed gets no other payment page', async () => {
  const { stripe } = await createStripeFixture();
  await stripe.createSession(SESSION_REQUEST);

  await expect(stripe.createSession({ ...SESSION_REQUEST, amountCents: 99 })).rejects.toThrow(ProviderError);
});

test('a payment is reported with its amount and the consents of the buyer', async () => {
  const { stripe, press, readAll } = await createStripeFixture();
  const { url } = await stripe.createSession(SESSION_REQUEST);

  const res = await press(url, { action: 'pay', email: 'ana@example.com', name: 'Ana Lima', country: 'br' });

  expect([res.status, res.headers.get('location')]).toEqual([303, SESSION_REQUEST.successUrl]);
  expect(await readAll()).toEqual([
    {
      id: expect.stringMatching(/^evt_/) as string,
      type: 'checkout.session.completed',
      kind: 'paid',
      orderId: SESSION_REQUEST.orderId,
      paymentRef: expect.stringMatching(/^pi_/) as string,
      amountCents: 299,
      currency: 'eur',
      email: 'ana@example.com',
      name: 'Ana Lima',
      countryCode: 'BR',
    },
  ]);
});

test.each([
  { actions: ['later'], kinds: ['pending'] },
  { actions: ['later', 'confirm'], kinds: ['pending', 'paid'] },
  { actions: ['later', 'refuse'], kinds: ['pending', 'failed'] },
  { actions: ['expire'], kinds: ['expired'] },
  { actions: ['decline', 'pay'], kinds: ['paid'] },
  { actions: ['pay', 'pay'], kinds: ['paid'] },
  { actions: ['cancel'], kinds: [] },
  { actions: ['pay', 'refund'], kinds: ['paid', 'reversed'] },
  { actions: ['pay', 'dispute'], kinds: ['paid', 'reversed'] },
  { actions: ['pay', 'inquire'], kinds: ['paid', 'other'] },
  { actions: ['pay', 'inquire', 'dispute'], kinds: ['paid', 'other', 'reversed'] },
  { actions: ['pay', 'dispute', 'win'], kinds: ['paid', 'reversed', 'restored'] },
])('$actions is reported as $kinds', async ({ actions, kinds }) => {
  const { stripe, press, readAll } = await createStripeFixture();
  const { url } = await stripe.createSession(SESSION_REQUEST);

  for (const action of actions) await press(url, { action });

  expect((await readAll()).map(({ kind }) => kind)).toEqual(kinds);
});

test('a refund and a dispute name the payment that they reverse', async () => {
  for (const reason of ['refund', 'dispute']) {
    const { press, readAll, url, paymentRef } = await createPaid();

    await press(url, { action: reason });

    expect((await readAll())[1]).toMatchObject({ kind: 'reversed', paymentRef, reason });
  }
});

test('an event without an order of the site is ignored', async () => {
  const { stripe, account, messages, press, now } = await createStripeFixture();
  const { url } = await stripe.createSession(SESSION_REQUEST);
  await press(url, { action: 'pay' });
  await press(url, { action: 'refund' });
  const [paid = '', refunded = ''] = messages.map(({ body }) => body.toString());

  for (const body of [
    paid.replace('checkout.session.completed', 'payment_intent.succeeded'),
    paid.replace(`"client_reference_id": "${SESSION_REQUEST.orderId}"`, '"client_reference_id": null'),
    refunded.replace('"refunded": true', '"refunded": false'),
    refunded.replace(/"payment_intent": "[^"]+"/, '"payment_intent": null'),
  ]) {
    expect([paid, refunded]).not.toContain(body);
    const event = await stripe.readEvent(Buffer.from(body), signBody(body, account.webhookSecret, now()));
    expect(event.kind).toBe('other');
  }
});

test('a payment of zero without a Stripe payment id is reported with the id of its session', async () => {
  const { stripe, account, messages, now, url } = await createPaid();
  const body = (messages[0]?.body.toString() ?? '').replace(/"payment_intent": "[^"]+"/, '"payment_intent": null');

  expect(await stripe.readEvent(Buffer.from(body), signBody(body, account.webhookSecret, now()))).toMatchObject({
    kind: 'paid',
    paymentRef: url.split('/').at(-1),
  });
});

test('threat 25: an event without a valid signature is rejected', async () => {
  const { stripe, account, messages, now } = await createPaid();
  const [{ body, signature } = { body: Buffer.of(), signature: '' }] = messages;
  const text = body.toString();

  for (const [said, signed] of [
    [text, undefined],
    [text, ''],
    [text, 'nonsense'],
    [text, signature.replace('v1=', 'v0=')],
    [text, signature.replace(/v1=.*/, 'v1=')],
    [text, signBody(text, 'whsec_of_another_account', now())],
    [text.replace('"amount_total": 299', '"amount_total": 1'), signature],
    [text.replace(SESSION_REQUEST.orderId, 'order-of-another-buyer'), signature],
    ['', signature],
    [text, signBody(text, '', now())],
    [text, signature.replace(/t=\d+/, `t=${Math.floor(now() / 1000) + 1}`)],
  ] as const) {
    await expect(stripe.readEvent(Buffer.from(said), signed)).rejects.toThrow(BadSignature);
  }
  expect(await stripe.readEvent(body, signature)).toMatchObject({ kind: 'paid' });
  const both = `${signBody(text, 'whsec_before', now())},${signBody(text, account.webhookSecret, now()).split(',')[1] ?? ''}`;
  expect(await stripe.readEvent(body, both)).toMatchObject({ kind: 'paid' });
});

test('threat 25: a signature is valid for five minutes', async () => {
  const { stripe, messages, pass } = await createPaid();
  const [{ body, signature } = { body: Buffer.of(), signature: '' }] = messages;

  pass(300_000);
  expect(await stripe.readEvent(body, signature)).toMatchObject({ kind: 'paid' });
  pass(1000);
  await expect(stripe.readEvent(body, signature)).rejects.toThrow(BadSignature);
});

test('threat 25: the webhook handles repeated, late, reordered and forged events', async () => {
  const tell = async (webhook: string) => {
    const { stripe, press, messages } = await createStripeFixture();
    await press((await stripe.createSession(SESSION_REQUEST)).url, { action: 'pay', webhook });
    await expect.poll(() => messages.length).toBe({ twice: 2, out_of_order: 2, never: 0 }[webhook] ?? 1);

    const events = messages.map(({ body, signature }) => stripe.readEvent(body, signature));
    return (await Promise.allSettled(events)).map((read) =>
      read.status === 'fulfilled' ? read.value : (read.reason as Error).name,
    );
  };

  const [first, second] = await tell('twice');
  expect(first).toMatchObject({ kind: 'paid' });
  expect(second).toEqual(first);
  expect(await tell('late')).toMatchObject([{ kind: 'paid' }]);
  expect(await tell('out_of_order')).toMatchObject([{ kind: 'reversed' }, { kind: 'paid' }]);
  expect(await tell('bad_signature')).toEqual(['BadSignature']);
  expect(await tell('too_old')).toEqual(['BadSignature']);
  expect(await tell('never')).toEqual([]);
});

test('a lost event is delivered again with the same id', async () => {
  const { stripe, press, readAll } = await createStripeFixture();
  const { url } = await stripe.createSession(SESSION_REQUEST);
  await press(url, { action: 'pay', webhook: 'never' });

  await press(url, { action: 'deliver' });
  await press(url, { action: 'deliver' });

  const [first, second] = await readAll();
  expect(first).toMatchObject({ kind: 'paid' });
  expect(second).toEqual(first);
});

test('a refund requested twice is made once, even when the idempotency key of the provider has expired', async () => {
  const { stripe, press, messages, readAll, url, paymentRef } = await createPaid();

  await stripe.refund({ orderId: SESSION_REQUEST.orderId, paymentRef });
  await stripe.refund({ orderId: SESSION_REQUEST.orderId, paymentRef });
  // A key of another order, as if that of the first refund were no longer kept.
  await stripe.refund({ orderId: 'order-with-another-key', paymentRef });
  await press(url, { action: 'refund' });

  await expect.poll(() => messages.length).toBe(2);
  expect((await readAll())[1]).toMatchObject({ kind: 'reversed', paymentRef, reason: 'refund' });
});

test('two payments of one order are refunded separately', async () => {
  const { stripe, press, readAll } = await createStripeFixture();
  for (const orderId of ['order-1', 'order-2'])
    await press((await stripe.createSession({ ...SESSION_REQUEST, orderId })).url, { action: 'pay' });

  for (const paid of await readAll())
    if (paid.kind === 'paid') await stripe.refund({ orderId: 'order-of-both', paymentRef: paid.paymentRef });

  await expect
    .poll(async () => (await readAll()).map(({ kind }) => kind))
    .toEqual(['paid', 'paid', 'reversed', 'reversed']);
});

test('a payment that was not made cannot be refunded', async () => {
  const { stripe } = await createStripeFixture();

  await expect(stripe.refund({ orderId: SESSION_REQUEST.orderId, paymentRef: 'pi_unknown' })).rejects.toThrow(
    'Stripe refused: resource_missing',
  );
});

test('every invalid response of the provider is a failure of the provider', async () => {
  const failure = async (how: Misbehaviour) => {
    const { stripe, fake } = await createStripeFixture({ timeoutMs: 300 });
    fake.misbehave(how);
    const error: unknown = await stripe.createSession(SESSION_REQUEST).catch((reason: unknown) => reason);
    return error instanceof ProviderError ? error.failure : error;
  };
  const all = Object.keys(texts.misbehaviours) as Misbehaviour[];

  expect(Object.fromEntries(await Promise.all(all.map(async (how) => [how, await failure(how)] as const)))).toEqual({
    error: 'unfit',
    busy: 'declined',
    down: 'unanswered',
    silent: 'unanswered',
    stuck: 'unanswered',
    garbage: 'unfit',
    unknown_reply: 'unfit',
    foreign_page: 'unfit',
  });
});

test('after a rate limit of Stripe no request is sent before its Retry-After', async () => {
  const { stripe, fake, pass } = await createStripeFixture();
  fake.misbehave('busy');
  await expect(stripe.createSession(SESSION_REQUEST)).rejects.toMatchObject({ failure: 'declined', waitMs: 5000 });

  fake.misbehave(undefined);
  pass(4999);
  await expect(stripe.createSession(SESSION_REQUEST)).rejects.toMatchObject({ failure: 'declined', waitMs: 1 });
  pass(1);
  expect(await stripe.createSession(SESSION_REQUEST)).toMatchObject({ ref: expect.any(String) as string });
});

test('at most 25 simultaneous requests are sent to Stripe, and further ones are declined', async () => {
  const { stripe, fake } = await createStripeFixture({ timeoutMs: 300 });
  fake.misbehave('silent');
  const begin = (nth: number) =>
    stripe
      .createSession({ ...SESSION_REQUEST, orderId: `order-${nth}` })
      .then(() => 'begun')
      .catch((error: unknown) => (error as ProviderError).failure);

  const answers = await Promise.all(Array.from({ length: 100 }, (_, nth) => begin(nth)));

  expect(answers.filter((answer) => answer === 'unanswered')).toHaveLength(25);
  expect(answers.filter((answer) => answer === 'declined')).toHaveLength(75);
  fake.misbehave(undefined);
  expect(await begin(1)).toBe('begun');
});

test('an unreachable Stripe counts as unreached, and a rejected secret key as an error', async () => {
  const { account, now } = await createStripeFixture();
  const with_ = (changed: Partial<typeof account>) =>
    createStripe({ account: () => ({ ...account, ...changed }), now }).createSession(SESSION_REQUEST);

  await expect(with_({ apiOrigin: await findDeadOrigin() })).rejects.toMatchObject({ failure: 'unreached' });
  await expect(with_({ secretKey: 'sk_test_wrong' })).rejects.toMatchObject({
    failure: 'unfit',
    message: 'Stripe refused: StripeAuthenticationError',
  });
});

const KEYS = { STRIPE_SECRET_KEY: 'sk_live_1234567890', STRIPE_WEBHOOK_SECRET: 'whsec_1234567890123456' };

test('a development server without an account uses the fake Stripe', () => {
  expect(readStripeAccount(parseEnv({}))).toBe('sandbox');
});

test('threat 19: in production without an account there is no fake Stripe and no plan can be bought', () => {
  expect(readStripeAccount(parseEnv(PRODUCTION))).toBeUndefined();
});

test('with an account buyers are redirected to pages of Stripe only', () => {
  expect(readStripeAccount(parseEnv({ ...PRODUCTION, ...KEYS }))).toEqual({
    secretKey: KEYS.STRIPE_SECRET_KEY,
    webhookSecret: KEYS.STRIPE_WEBHOOK_SECRET,
    apiOrigin: 'https://api.stripe.com',
    pageOrigins: ['https://checkout.stripe.com'],
  });
});

test('tests can replace Stripe by a local server', () => {
  const standIn = 'http://127.0.0.1:4000';
  const keys = { ...KEYS, STRIPE_SECRET_KEY: 'sk_test_1234567890' };

  expect(readStripeAccount(parseEnv({ ...keys, TEST_STRIPE_ORIGIN: standIn }))).toMatchObject({
    apiOrigin: standIn,
    pageOrigins: [standIn],
  });
});
