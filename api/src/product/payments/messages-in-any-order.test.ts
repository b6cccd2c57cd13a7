import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { OrderState } from '@app/contracts/checkout';
import { isSqlite } from '#api/foundation/db/dialect.ts';
import { findPlan } from '#api/product/licences/issue-plan-key.ts';
import { T0 } from '#api/test/build-rows.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';
import { beginOrder, buildPaid, buildCheckout, readOrderRow } from '#api/test/product/build-checkout.ts';
import type { PaymentEvent } from './stripe.ts';
import { receivePaymentEvent } from './receive-payment-event.ts';

const DAY = 24 * 60 * 60 * 1000;

type ToMessage = (orderId: string) => Omit<PaymentEvent, 'id' | 'type'>;

const reversed = (reason: 'refund' | 'dispute', payment: string) => (orderId: string) =>
  ({ kind: 'reversed', paymentRef: `${payment}_${orderId}`, reason }) as const;

/** What a provider can say of one order, which may have been paid twice. */
const MESSAGES = {
  paid: buildPaid,
  'paid, in another message': buildPaid,
  refund: reversed('refund', 'pi'),
  dispute: reversed('dispute', 'pi'),
  won: (orderId) => ({ kind: 'restored', paymentRef: `pi_${orderId}` }),
  'second paid': (orderId) => buildPaid(orderId, { paymentRef: `second_${orderId}` }),
  'second refund': reversed('refund', 'second'),
  'other amount': (orderId) => buildPaid(orderId, { amountCents: 1 }),
  failed: (orderId) => ({ kind: 'failed', orderId }),
  expired: (orderId) => ({ kind: 'expired', orderId }),
  pending: (orderId) => ({ kind: 'pending', orderId }),
} as const satisfies Record<string, ToMessage>;
type Name = keyof typeof MESSAGES;

const NAMES = Object.keys(MESSAGES) as Name[];
/** Those that an end state is made of: of one payment, and of two. */
const OF_ONE: readonly Name[] = ['paid', 'refund', 'dispute', 'won'];
const OF_TWO: readonly Name[] = [...OF_ONE, 'second paid', 'second refund'];

/** How an order stands after a set of messages, whatever came first. */
function judge(told: ReadonlySet<Name>): { state: OrderState; hasPlan: boolean } {
  const isBack = told.has('refund') || (told.has('dispute') && !told.has('won'));
  const payments = [
    { isTold: told.has('paid') || told.has('paid, in another message'), isBack },
    { isTold: told.has('second paid'), isBack: told.has('second refund') },
  ].filter(({ isTold }) => isTold);

  if (payments.some(({ isBack }) => !isBack)) return { state: 'paid', hasPlan: true };
  if (payments.length > 0) return { state: 'refunded', hasPlan: false };
  if (told.has('failed')) return { state: 'failed', hasPlan: false };
  return { state: told.has('expired') ? 'expired' : 'redirected', hasPlan: false };
}

/** Every order of every choice of so many names. */
function* arrange(names: readonly Name[], count: number, before: readonly Name[] = []): Generator<readonly Name[]> {
  if (count === 0) yield before;
  else for (const name of names) if (!before.includes(name)) yield* arrange(names, count - 1, [...before, name]);
}

describeEachDatabase('messages of the payment provider in any order', (db) => {
  async function play(names: readonly Name[]) {
    const { checkout } = buildCheckout(db());
    const hwid = randomUUID();
    const orderId = await beginOrder(checkout, hwid);
    for (const name of names) {
      const message = { ...MESSAGES[name](orderId), id: `evt_${randomUUID()}`, type: name } as PaymentEvent;
      await receivePaymentEvent(checkout, message);
    }

    const plan = await findPlan(checkout, hwid);
    const { state, refundedAt, paymentRef } = await readOrderRow(checkout, orderId);
    const periods = await db().selectFrom('licencePeriod').selectAll().where('orderId', '=', orderId).execute();
    return { state, refundedAt, paymentRef, plan, live: periods.filter(({ revokedAt }) => revokedAt === null).length };
  }

  async function compare(arrangements: Iterable<readonly Name[]>): Promise<void> {
    const wrong: unknown[] = [];
    let count = 0;
    for (const names of arrangements) {
      count += 1;
      const { state, hasPlan } = judge(new Set(names));
      const found = await play(names);
      const isRight =
        found.state === state &&
        (found.refundedAt !== null) === (state === 'refunded') &&
        found.live === (hasPlan ? 1 : 0) &&
        found.plan?.until === (hasPlan ? T0 + 30 * DAY : undefined);
      if (!isRight) wrong.push({ names: names.join(', '), state, hasPlan, found });
    }
    expect(count).toBeGreaterThanOrEqual(24);
    expect(wrong).toEqual([]);
  }

  // A PostgreSQL in this process is too slow for all of them.
  test('three messages in any order give the same result', async () => {
    await compare(arrange(isSqlite(db()) ? NAMES : OF_TWO, 3));
  }, 120_000);

  test('four messages in any order give the same result', async () => {
    await compare(arrange(isSqlite(db()) ? [...OF_TWO, 'expired'] : OF_ONE, 4));
  }, 120_000);

  test('an operator refunds the remaining one of two payments', async () => {
    const found = await play(['paid', 'second paid', 'dispute']);

    expect(found.paymentRef).toMatch(/^second_/);
  });
});
