import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import type { Session } from '../fakes/stripe.ts';
import { noFindings, type Finding } from '../report.ts';
import { DAY_MS, subjectOf, type PlanId } from '../world/product.ts';
import { compareSums, consultCheckoutOracle, type CheckoutEvidence } from './checkout-oracle.ts';

const T0 = 1_800_000_000_000;
const HWID = 'device-1234';
const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });

type Books = Awaited<ReturnType<typeof openBooks>>;

/** The books of one order that is paid and one code that is redeemed, on both sides. */
async function openBooks() {
  return {
    sessions: [makeSession('order')] as [Session],
    events: [{ id: 'evt', body: '', isTaken: true }],
    purchase_order: [{ id: 'order', device_id: 'phone', mode: 2, state: 'paid', paid_at: T0, amount_cents: 299 }] as [
      { id: string; device_id: string; mode: number; state: string; paid_at: number; amount_cents: number },
    ],
    licence_period: [
      makePeriod('of-order', { order_id: 'order', code_id: null }),
      makePeriod('of-code', { order_id: null, code_id: 'code', licence_id: 'licence-2' }),
    ] as [Period, Period],
    licence_code: [{ id: 'code', plan_id: 'plus', redeemed_at: T0 }] as [
      { id: string; plan_id: string; redeemed_at: number | null },
    ],
    licence_device: [{ licence_id: 'licence', device_id: 'phone' }],
    webhook_event: [{ event_id: 'evt', error: null }],
    access_key: [await makeKey(HWID)] as [Awaited<ReturnType<typeof makeKey>>],
    mail: [{ id: 'receipt' }],
    audit_event: [
      { kind: 'order', code: 'paid' },
      { kind: 'licence', code: 'granted' },
      { kind: 'licence', code: 'extended' },
    ],
    ordered: new Map([['order', HWID]]),
    redeemed: new Map([['0A1B2C', 'device-5678']]),
  };
}

function makeSession(orderId: string): Session {
  return {
    id: `cs_${orderId}`,
    orderId,
    amountCents: 299,
    currency: 'eur',
    expiresAtS: 0,
    status: 'complete',
    buyer: undefined,
    payment: { id: 'pi', charge: 'ch', state: 'succeeded', paidAt: T0 },
  };
}

interface Period {
  id: string;
  licence_id: string;
  plan_id: PlanId;
  order_id: string | null;
  code_id: string | null;
  starts_at: number;
  ends_at: number;
  revoked_at: number | null;
}

function makePeriod(id: string, changes: Pick<Period, 'order_id' | 'code_id'> & Partial<Period>): Period {
  return {
    id,
    licence_id: 'licence',
    plan_id: 'plus',
    starts_at: T0,
    ends_at: T0 + 30 * DAY_MS,
    revoked_at: null,
    ...changes,
  };
}

async function makeKey(hwid: string) {
  const iat = T0 / 1000;
  const jws = await new SignJWT({ jti: 'jti' })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'test', typ: 'key+jws' })
    .setAudience('main')
    .setSubject(subjectOf(hwid))
    .setIssuedAt(iat)
    .setExpirationTime(iat + 86_400)
    .sign(privateKey);
  return { jti: 'jti', app_id: 'main', licence_id: 'licence', jws, issued_at: T0, revoked_at: null };
}

async function evidenceOf({ sessions, events, ordered, redeemed, ...tables }: Books): Promise<CheckoutEvidence> {
  const rowsOf: Record<string, readonly unknown[]> = tables;
  return {
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'test' }] },
    ordered,
    redeemed,
    findings: noFindings(),
    stripe: { sessions: () => sessions, events: () => events },
    database: {
      rows: <Row>(sql: string) => Promise.resolve((rowsOf[/from (\w+)/.exec(sql)?.[1] ?? ''] ?? []) as Row[]),
    },
  };
}

function paymentOf({ sessions: [{ payment }] }: Books) {
  if (!payment) throw new Error('There is no payment');
  return payment;
}

test('finds nothing where each payment and each code has its plan', async () => {
  const books = await openBooks();
  const evidence = await evidenceOf(books);

  expect([...(await consultCheckoutOracle(evidence))]).toEqual([books.access_key[0].jws]);
  await compareSums(evidence);
  expect(evidence.findings).toEqual(noFindings());
});

test.each<[what: string, finding: Finding, change: (books: Books) => unknown]>([
  ['a plan whose order was not paid', 'unpaid', (books) => books.sessions.pop()],
  ['a plan for too little money', 'unpaid', (books) => (books.sessions[0].amountCents = 99)],
  ['a plan for other money', 'unpaid', (books) => (books.sessions[0].currency = 'huf')],
  ['a plan that is longer than what was paid', 'unpaid', (books) => (books.licence_period[0].ends_at += 1)],
  ['a plan of another order', 'unpaid', (books) => (books.purchase_order[0].mode = 3)],
  ['a plan whose money went back', 'unpaid', (books) => (paymentOf(books).state = 'refunded')],
  ['a plan of an order that is not paid', 'unpaid', (books) => (books.purchase_order[0].state = 'redirected')],
  ['a plan with a code that is not redeemed', 'unpaid', (books) => (books.licence_code[0].redeemed_at = null)],
  ['a code whose redemption was never acknowledged', 'unpaid', (books) => books.redeemed.clear()],
  [
    'a message that the provider never made',
    'unpaid',
    (books) => books.webhook_event.push({ event_id: 'evt_2', error: null }),
  ],
  ['a payment without a plan', 'unserved', (books) => books.licence_period.shift()],
  ['a payment whose order is not paid', 'unserved', (books) => (books.purchase_order[0].state = 'redirected')],
  ['a payment whose plan was taken back', 'unserved', (books) => (books.licence_period[0].revoked_at = T0)],
  ['a plan for another device', 'unserved', (books) => books.licence_device.pop()],
  ['a code without a plan', 'unserved', (books) => books.licence_period.pop()],
  ['a message that was acknowledged and lost', 'unserved', (books) => books.webhook_event.pop()],
  ['two plans of one order', 'doubled', (books) => books.licence_period.push(books.licence_period[0])],
  ['two plans of one code', 'doubled', (books) => books.licence_period.push(books.licence_period[1])],
  ['two payments of one order', 'doubled', (books) => books.sessions.push(makeSession('order'))],
  ['a key for a device without a payment', 'keys', (books) => books.ordered.set('order', 'device-9999')],
  ['a key from before the plan', 'keys', (books) => (books.licence_period[0].starts_at += 60_000)],
  ['a key that outlives its plan', 'keys', (books) => (books.licence_period[0].revoked_at = T0)],
  ['a plan that is not on record', 'rules', (books) => books.audit_event.pop()],
  ['a message that was handled twice', 'rules', (books) => books.audit_event.push({ kind: 'order', code: 'unfit' })],
  ['a receipt too many', 'rules', (books) => books.mail.push({ id: 'receipt-2' })],
  ['a payment of another day', 'sums', (books) => (paymentOf(books).paidAt += DAY_MS)],
  ['another amount', 'sums', (books) => (books.purchase_order[0].amount_cents = 298)],
  ['a payment that only the provider knows', 'sums', (books) => books.purchase_order.pop()],
  ['a payment that the provider does not know', 'sums', (books) => books.sessions.pop()],
])('finds %s', async (_what, finding, change) => {
  const books = await openBooks();
  await change(books);
  const evidence = await evidenceOf(books);

  await consultCheckoutOracle(evidence);
  await compareSums(evidence);
  expect(evidence.findings[finding]).not.toEqual([]);
});
