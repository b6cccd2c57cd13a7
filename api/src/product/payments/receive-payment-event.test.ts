import { expect, test } from 'vitest';
import type { Db } from '#api/foundation/db/schema.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { findPlan } from '#api/product/licences/issue-plan-key.ts';
import { revokePeriodByOperator } from '#api/product/licences/licence-periods.ts';
import EN from '#api/product/mail/mails.en.json' with { type: 'json' };
import { formatMoment } from '#api/product/mail/format-date.ts';
import { T0 } from '#api/test/build-rows.ts';
import { beginOrder, buildPaid, buildCheckout, readOrderRow } from '#api/test/product/build-checkout.ts';
import { describeEachDatabase, describeRace } from '#api/test/databases/describe-each-database.ts';
import { receivePaymentEvent } from './receive-payment-event.ts';
import type { PaymentEvent } from './stripe.ts';
import { sealAudit } from '#api/test/sealed.ts';

const DAY = 24 * 60 * 60 * 1000;
const HWID = 'device-1234';

const refundOf = (orderId: string, id = 'evt_refund'): PaymentEvent => ({
  id,
  type: 'charge.refunded',
  kind: 'reversed',
  paymentRef: `pi_${orderId}`,
  reason: 'refund',
});

const disputeOf = (orderId: string, id = 'evt_dispute'): PaymentEvent => ({
  id,
  type: 'charge.dispute.created',
  kind: 'reversed',
  paymentRef: `pi_${orderId}`,
  reason: 'dispute',
});

const winOf = (orderId: string): PaymentEvent => ({
  id: 'evt_won',
  type: 'charge.dispute.closed',
  kind: 'restored',
  paymentRef: `pi_${orderId}`,
});

const listPeriods = (db: Db) =>
  db.selectFrom('licencePeriod').select(['orderId', 'startsAt', 'endsAt', 'revokedAt']).orderBy('startsAt').execute();

describeEachDatabase('messages of the payment provider', (db) => {
  test('a payment gives the device its plan, and a repeated message gives no second period', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    const paid = buildPaid(orderId);

    expect(await findPlan(checkout, HWID)).toBeNull();
    expect(await receivePaymentEvent(checkout, paid)).toEqual({ kind: 'handled' });
    expect(await receivePaymentEvent(checkout, paid)).toEqual({ kind: 'repeated' });
    // The same payment in another message.
    await receivePaymentEvent(checkout, { ...paid, id: 'evt_other', type: 'checkout.session.async_payment_succeeded' });

    expect(await findPlan(checkout, HWID)).toEqual({ id: 'plus', until: T0 + 30 * DAY, renewable: false });
    expect(await listPeriods(db())).toHaveLength(1);
    expect(await readOrderRow(checkout, orderId)).toMatchObject({
      state: 'paid',
      paidAt: T0,
      countryCode: 'GB',
      sealedClaim: null,
    });
  });

  test('threat 24: a payment with another amount or currency grants nothing and is reported to an operator', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);

    for (const changes of [{ amountCents: 1 }, { amountCents: 29_900 }, { currency: 'vnd' }])
      expect(await receivePaymentEvent(checkout, buildPaid(orderId, changes))).toEqual({
        kind: 'unfit',
        why: 'other amount or currency',
      });
    expect(await receivePaymentEvent(checkout, buildPaid('an unknown order'))).toMatchObject({ kind: 'unfit' });

    expect(await listPeriods(db())).toEqual([]);
    expect(await readOrderRow(checkout, orderId)).toMatchObject({ state: 'redirected' });
    const errors = await db().selectFrom('webhookEvent').select('error').execute();
    expect(errors.map(({ error }) => error).sort()).toEqual([
      'other amount or currency',
      'other amount or currency',
      'other amount or currency',
      'unknown order',
    ]);
  });

  test('a plan that is bought twice runs twice as long, and a refund removes only its own period', async () => {
    const { checkout, clock } = buildCheckout(db());
    const first = await beginOrder(checkout, HWID, 'plus', '2026-01-01T00:00:00.000Z');
    const second = await beginOrder(checkout, HWID, 'plus', '2026-01-01T00:00:01.000Z');
    await receivePaymentEvent(checkout, buildPaid(first));
    await receivePaymentEvent(checkout, buildPaid(second));
    expect(await findPlan(checkout, HWID)).toMatchObject({ until: T0 + 60 * DAY });

    clock.at = T0 + 10 * DAY;
    await receivePaymentEvent(checkout, refundOf(first));
    await receivePaymentEvent(checkout, refundOf(first, 'evt_again'));

    expect(await findPlan(checkout, HWID)).toEqual({ id: 'plus', until: T0 + 40 * DAY, renewable: false });
    clock.at = T0 + 11 * DAY;
    await receivePaymentEvent(checkout, refundOf(second, 'evt_second'));
    expect(await findPlan(checkout, HWID)).toBeNull();
  });

  test('a receipt shows the payment, its order, and the end of all paid periods', async () => {
    const { checkout } = buildCheckout(db());
    const orders = [
      await beginOrder(checkout, HWID, 'plus', 'first'),
      await beginOrder(checkout, HWID, 'plus', 'second'),
    ];
    for (const orderId of orders) await receivePaymentEvent(checkout, buildPaid(orderId));

    const rows = await db().selectFrom('mail').selectAll().execute();
    const texts = rows.map((row) => checkout.mailQueue.open(row).text);
    for (const [index, orderId] of orders.entries()) {
      const text = texts.find((one) => one.includes(`Order ${orderId}`));
      expect(text).toContain('Paid: 2,99\u00a0€');
      expect(text).toContain(`Runs until: ${formatMoment(T0 + (index + 1) * 30 * DAY, 'GB', EN)}`);
    }
  });

  test('a dispute ends a plan, and a dispute that was won restores the remaining time', async () => {
    const { checkout, clock } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    await receivePaymentEvent(checkout, buildPaid(orderId));
    clock.at += 10 * DAY;
    await receivePaymentEvent(checkout, disputeOf(orderId, 'evt_created'));
    expect(await findPlan(checkout, HWID)).toBeNull();
    clock.at += 60 * DAY;

    expect(await receivePaymentEvent(checkout, winOf(orderId))).toEqual({ kind: 'handled' });
    // Older messages come late, and the last one comes twice.
    await receivePaymentEvent(checkout, disputeOf(orderId, 'evt_updated'));
    await receivePaymentEvent(checkout, { ...winOf(orderId), id: 'evt_won_again' });

    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'plus', until: clock.at + 20 * DAY });
    expect(await readOrderRow(checkout, orderId)).toMatchObject({ state: 'paid', refundedAt: null });
  });

  test('an order that a server of the previous release marked as paid is revoked and restored with its payment', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    await receivePaymentEvent(checkout, buildPaid(orderId));
    await db().deleteFrom('payment').execute();
    const tell = async (event: PaymentEvent) => {
      await receivePaymentEvent(checkout, event);
      return { state: (await readOrderRow(checkout, orderId)).state, plan: (await findPlan(checkout, HWID))?.id };
    };

    expect(await tell(disputeOf(orderId))).toEqual({ state: 'refunded', plan: undefined });
    expect(await tell(winOf(orderId))).toEqual({ state: 'paid', plan: 'plus' });
    expect(await tell(refundOf(orderId))).toEqual({ state: 'refunded', plan: undefined });
  });

  test.each([
    { reason: 'sold on', isDisputed: false },
    { reason: 'refund', isDisputed: false },
    { reason: 'dispute', isDisputed: true },
  ])('winning a dispute does not restore what an operator has revoked: $reason', async (revoked) => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    await receivePaymentEvent(checkout, buildPaid(orderId));
    const { id } = await db().selectFrom('licencePeriod').select('id').executeTakeFirstOrThrow();
    const revoke = () => revokePeriodByOperator({ db: db() }, id, revoked.reason, { by: 'ada', at: T0 });
    if (!revoked.isDisputed) await revoke();
    await receivePaymentEvent(checkout, disputeOf(orderId));
    if (revoked.isDisputed) expect(await revoke()).toMatchObject({ isWithdrawn: true });
    expect(await revoke()).toMatchObject({ isWithdrawn: false });

    expect(await receivePaymentEvent(checkout, winOf(orderId))).toEqual({
      kind: 'unfit',
      why: 'dispute won, and no period of the order ended by it',
    });
    expect(await findPlan(checkout, HWID)).toBeNull();
  });

  test('a second payment of an order gives no second period and is reported to an operator', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    await receivePaymentEvent(checkout, buildPaid(orderId));

    expect(await receivePaymentEvent(checkout, buildPaid(orderId, { paymentRef: 'pi_second' }))).toEqual({
      kind: 'unfit',
      why: 'paid a second time, with pi_second',
    });
    expect(await listPeriods(db())).toHaveLength(1);
    await sealAudit(db());
    expect(await db().selectFrom('auditEvent').select('code').where('code', '=', 'unfit').execute()).toHaveLength(1);
    // One that went back already needs no look.
    await receivePaymentEvent(checkout, { ...refundOf(orderId), paymentRef: 'pi_third' } as PaymentEvent);
    expect(await receivePaymentEvent(checkout, buildPaid(orderId, { paymentRef: 'pi_third' }))).toEqual({
      kind: 'handled',
    });
  });

  test('a payment, a refund and a dispute are audited with their order', async () => {
    const { checkout } = buildCheckout(db());
    const [first, second] = [await beginOrder(checkout, 'device-1'), await beginOrder(checkout, 'device-2')];
    await receivePaymentEvent(checkout, buildPaid(first));
    await receivePaymentEvent(checkout, buildPaid(second));
    await receivePaymentEvent(checkout, refundOf(first));
    await receivePaymentEvent(checkout, { ...refundOf(second, 'evt_dispute'), reason: 'dispute' } as PaymentEvent);

    await sealAudit(db());
    const events = await db()
      .selectFrom('auditEvent')
      .select(['code', 'detail'])
      .where('kind', '=', 'order')
      .where('code', '<>', 'begun')
      .orderBy('seq')
      .execute();
    expect(events.map(({ code }) => code)).toEqual(['paid', 'paid', 'refund', 'dispute']);
    for (const [index, id] of [first, second, first, second].entries()) expect(events[index]?.detail).toContain(id);
  });

  test('the revocation reason of a plan is that of its latest message, from any payment', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    const paymentRef = 'second';
    await receivePaymentEvent(checkout, buildPaid(orderId));
    await receivePaymentEvent(checkout, refundOf(orderId));
    await receivePaymentEvent(checkout, buildPaid(orderId, { paymentRef }));
    await receivePaymentEvent(checkout, { ...disputeOf(orderId), paymentRef } as PaymentEvent);

    await sealAudit(db());
    const audit = db().selectFrom('auditEvent').select('code').where('kind', '=', 'order').where('code', '<>', 'begun');
    const codes = (await audit.orderBy('seq').execute()).map(({ code }) => code);
    expect(codes).toEqual(['paid', 'refund', 'paid', 'dispute']);
    expect(await db().selectFrom('licencePeriod').select('revokeReason').execute()).toEqual([
      { revokeReason: 'dispute' },
    ]);
  });

  test('a payment takes effect at once, also when another plan of the device has not started', async () => {
    const { checkout } = buildCheckout(db());
    const pay = async (orderId: string, email: string) => receivePaymentEvent(checkout, buildPaid(orderId, { email }));
    const orders = [await beginOrder(checkout), await beginOrder(checkout), await beginOrder(checkout)] as const;
    await pay(orders[0], 'ada@example.com');
    await pay(orders[1], 'bob@example.com');
    await receivePaymentEvent(checkout, refundOf(orders[0]));

    expect(await pay(orders[2], 'eve@example.com')).toEqual({ kind: 'handled' });

    expect(await readOrderRow(checkout, orders[2])).toMatchObject({ state: 'paid' });
    expect((await findPlan(checkout, HWID))?.id).toBe('plus');
  });

  test('a plan belongs to the device that paid, and its mail address is not readable in the database', async () => {
    const { checkout } = buildCheckout(db());
    await receivePaymentEvent(checkout, buildPaid(await beginOrder(checkout)));

    expect(await findPlan(checkout, 'another-device')).toBeNull();
    const rows = [
      await db().selectFrom('licence').selectAll().execute(),
      await db().selectFrom('purchaseOrder').selectAll().execute(),
      await (await sealAudit(db())).selectFrom('auditEvent').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toMatch(/ada@|Ada|device-1234|zone-1/);
  });
});

describeEachDatabase('payments by another person for a device', (db) => {
  /** A stranger has paid a year for the device; its owner pays for Plus. Both orders were begun before. */
  async function payBoth() {
    const { checkout } = buildCheckout(db());
    const strangers = await beginOrder(checkout, HWID, 'premium', '2026-01-01T00:00:00.000Z');
    const owners = await beginOrder(checkout, HWID, 'plus', '2026-01-01T00:00:01.000Z');
    await receivePaymentEvent(checkout, buildPaid(strangers, { amountCents: 1499, email: 'mallory@example.com' }));
    await receivePaymentEvent(checkout, buildPaid(owners));
    return { checkout, strangers };
  }

  test('after a refund of the other payment the plan of the owner runs as paid', async () => {
    const { checkout, strangers } = await payBoth();
    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'premium', until: T0 + 365 * DAY });

    await receivePaymentEvent(checkout, refundOf(strangers));

    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'plus', until: T0 + 30 * DAY });
  });

  test('after a device reset of the other plan the plan of the owner runs as paid', async () => {
    const { checkout } = await payBoth();
    const licences = createLicencesRepository(db());
    const [theirs] = await licences.listByEmail(checkout.emails.hmac('mallory@example.com'));

    await licences.unbindAll(theirs?.id ?? '', T0 + DAY);

    expect(await findPlan(checkout, HWID)).toMatchObject({ id: 'plus', until: T0 + 30 * DAY });
  });
});

describeRace('simultaneous messages of the payment provider', (db) => {
  test('threat 25: thirty deliveries of one payment in ten messages give one period', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);
    const messages = Array.from({ length: 10 }, (_, index) => buildPaid(orderId, { id: `evt_${String(index)}` }));

    await Promise.all([...messages, ...messages, ...messages].map((message) => receivePaymentEvent(checkout, message)));

    expect(await listPeriods(db())).toHaveLength(1);
    expect(await db().selectFrom('webhookEvent').select('eventId').execute()).toHaveLength(10);
  });

  test('two simultaneous payments for one device give consecutive periods', async () => {
    const { checkout } = buildCheckout(db());
    const orders = await Promise.all([
      beginOrder(checkout, HWID, 'plus', '2026-01-01T00:00:00.000Z'),
      beginOrder(checkout, HWID, 'plus', '2026-01-01T00:00:01.000Z'),
    ]);

    await Promise.all(orders.map((orderId) => receivePaymentEvent(checkout, buildPaid(orderId))));

    const periods = await listPeriods(db());
    expect(periods.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      [T0, T0 + 30 * DAY],
      [T0 + 30 * DAY, T0 + 60 * DAY],
    ]);
  });

  test('a simultaneous refund and payment leave no plan', async () => {
    const { checkout } = buildCheckout(db());
    const orderId = await beginOrder(checkout);

    await Promise.all([
      receivePaymentEvent(checkout, buildPaid(orderId)),
      receivePaymentEvent(checkout, refundOf(orderId)),
    ]);

    expect(await findPlan(checkout, HWID)).toBeNull();
    expect(await readOrderRow(checkout, orderId)).toMatchObject({ state: 'refunded' });
  });
});
