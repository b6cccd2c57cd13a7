import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { type Plan, PLANS } from '@app/contracts/plans';
import type { OrderStatus } from '@app/contracts/checkout';
import { type InferOutput, nullable, object, parse, string } from 'valibot';
import type { orderConsentSchema } from '@app/contracts/checkout-requests';
import type { Db, OrderRow } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import type { EmailCipher } from '#api/product/licences/email-cipher.ts';
import type { MailQueue } from '#api/product/mail/mail-queue.ts';
import { deriveSecret, openText, randomId, sealText } from '#api/foundation/crypto/secrets.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import { blockOf, type DeviceClaim } from '#api/product/devices/device.ts';
import { createLicencesRepository } from '#api/product/licences/licences.repository.ts';
import { activePlan } from '#api/product/licences/licence-periods.ts';
import { ProviderError } from '#api/foundation/http/call-provider.ts';
import type { PaymentProvider } from './stripe.ts';
import { createOrdersRepository, OPEN_STATES, type OrderOfDevice } from './orders.repository.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';

export interface Checkout {
  db: Db;
  /** Undefined where the site takes no payments. */
  provider: PaymentProvider | undefined;
  pseudonyms: Pseudonyms;
  emails: EmailCipher;
  mailQueue: MailQueue;
  orderCipher: OrderCipher;
  baseUrl: () => string;
  log: Pick<Logger, 'error' | 'warn'>;
  now: () => number;
}

const CURRENCY = 'eur';

const SECOND_MS = 1000;
/** When a buyer tries again first while the provider is busy, and when the payment fails instead. */
const FIRST_RETRY_MS = 3 * SECOND_MS;
const WAIT_TIMEOUT_MS = 180 * SECOND_MS;

interface PurchaseClick {
  claim: DeviceClaim;
  plan: Plan;
  /** The time of the visitor's clock, which tells one click from another and counts for nothing else. */
  date: string | undefined;
}

export type StartResult =
  | { kind: 'pay'; url: string }
  /** The order of this click is paid already. */
  | { kind: 'paid'; orderId: string }
  /** The device's plan runs for so long that it cannot be renewed yet. */
  | { kind: 'has_plan' }
  /** The provider has too much to do at the moment. The same click can be followed again. */
  | { kind: 'wait'; seconds: number }
  /** The provider does not answer, the order of this click has ended, or the device is blocked. Nothing was charged. */
  | { kind: 'failed' };

/**
 * Begins a payment: stores a pending order and opens the provider's page for it. The same click always leads to the
 * same order and the same page. Nothing is granted here; the provider's message does that.
 */
export async function beginPayment(checkout: Checkout, { claim, plan, date }: PurchaseClick): Promise<StartResult> {
  const { db, provider, pseudonyms, orderCipher, now } = checkout;
  if (!provider) return { kind: 'failed' };

  const at = now();
  const hwidHmac = pseudonyms.hwid(claim.hwid);
  const periods = await createLicencesRepository(db).listPeriodsOfDevice(hwidHmac, at);
  if (activePlan(periods, at)?.renewable === false) return { kind: 'has_plan' };

  const zoneHmac = pseudonyms.zone(claim.zone);
  const idemKey = hashClick([hwidHmac, plan.mode, zoneHmac, date ?? randomId()]);
  const needs = { devices: createDevicesRepository, orders: createOrdersRepository };
  const order = await transact(db, needs, async (tx) => {
    const device = await tx.devices.ensure('main', hwidHmac, at);
    if (blockOf(device, at)) return rollBack<OrderOfDevice | undefined>(undefined);

    const id = randomId();
    const isNew = await tx.orders.insert({
      id,
      deviceId: device.id,
      mode: plan.mode,
      zoneHmac,
      amountCents: plan.priceCents,
      currency: CURRENCY,
      provider: provider.id,
      idemKey,
      clientDate: date ?? null,
      state: 'created',
      createdAt: at,
      sealedClaim: orderCipher.sealClaim(id, claim),
    });
    if (isNew)
      tx.record({ at, kind: 'order', code: 'begun', subject: device.id, detail: { order: id, plan: plan.id } });
    return tx.orders.findByClick(idemKey);
  });

  return order ? redirectToProvider(checkout, provider, order, plan) : { kind: 'failed' };
}

/** Leads to the page of an order, which is opened if it is not yet. */
async function redirectToProvider(
  { db, baseUrl, log, now }: Checkout,
  provider: PaymentProvider,
  order: OrderOfDevice,
  plan: Plan,
): Promise<StartResult> {
  if (order.state === 'paid') return { kind: 'paid', orderId: order.id };
  if (!OPEN_STATES.includes(order.state)) return { kind: 'failed' };
  if (order.providerUrl !== null)
    return (order.expiresAt ?? 0) > now() ? { kind: 'pay', url: order.providerUrl } : { kind: 'failed' };

  try {
    const session = await provider.createSession({
      orderId: order.id,
      plan,
      amountCents: order.amountCents,
      currency: order.currency,
      successUrl: `${baseUrl()}/success-${plan.id}?ref=${order.id}`,
      cancelUrl: `${baseUrl()}/api/payment-return?ref=${order.id}`,
    });
    const { ref, url, expiresAt } = session;
    await createOrdersRepository(db).move(order.id, 'redirected', { providerRef: ref, providerUrl: url, expiresAt });
    return { kind: 'pay', url };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ reason: error.message }, 'payment provider unavailable');
    // As long again as the buyer has waited already, so that the tries of one click are few.
    const age = now() - order.createdAt;
    if (error.failure !== 'declined' || age >= WAIT_TIMEOUT_MS) return { kind: 'failed' };
    return { kind: 'wait', seconds: Math.ceil(Math.max(FIRST_RETRY_MS, age, error.waitMs ?? 0) / SECOND_MS) };
  }
}

function hashClick(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('|')).digest('base64url');
}

/** Reads how an order stands, for the page that its buyer comes back to. */
export async function readOrder({ db, now }: Checkout, ref: string): Promise<OrderStatus | undefined> {
  const at = now();
  const licences = createLicencesRepository(db);
  const order = await createOrdersRepository(db).find(ref);
  const plan = PLANS.find(({ mode }) => mode === order?.mode);
  if (!order || !plan) return undefined;

  const period = await licences.findPeriodOfOrder(order.id);
  const licence = period && (await licences.find(period.licenceId));
  const periods = await licences.listPeriodsOfDevice(order.hwidHmac, at);
  return {
    state: order.state,
    plan: plan.id,
    activeUntil: order.state === 'paid' ? (activePlan(periods, at)?.until ?? null) : null,
    showsName: order.showsName === 1,
    wantsReminder: licence?.wantsReminder === 1,
    now: at,
  };
}

/** Stores what the buyer of a paid order agrees to; false when there is no such order, or it is not paid. */
export function saveConsent(
  { db, now }: Checkout,
  { ref, showsName, wantsReminder }: InferOutput<typeof orderConsentSchema>,
): Promise<boolean> {
  return transact(db, { licences: createLicencesRepository, orders: createOrdersRepository }, async (tx) => {
    const order = await tx.orders.find(ref);
    const period = await tx.licences.findPeriodOfOrder(ref);
    if (order?.state !== 'paid' || !period) return false;

    await tx.orders.setShowsName(ref, showsName);
    await tx.licences.setReminder(period.licenceId, wantsReminder);
    tx.record({
      at: now(),
      kind: 'order',
      code: 'consent',
      subject: order.deviceId,
      detail: { order: ref, showsName, wantsReminder },
    });
    return true;
  });
}

const claimSchema = object({ hwid: string(), zone: string() });
const buyerSchema = object({ email: nullable(string()), name: nullable(string()) });

export interface Buyer {
  email: string | null;
  name: string | null;
}

export type OrderCipher = ReturnType<typeof createOrderCipher>;

/** Encrypts what an order stores of its buyer: the device of the address, and the email address with the name. */
export function createOrderCipher(pepper: string) {
  const claims = deriveSecret(pepper, 'device of the order');
  const buyers = deriveSecret(pepper, 'buyer of the order');

  return {
    sealClaim: (orderId: string, { hwid, zone }: DeviceClaim) =>
      sealText(claims, orderId, JSON.stringify({ hwid, zone })),
    openClaim({ id, sealedClaim }: Pick<OrderRow, 'id' | 'sealedClaim'>): DeviceClaim | undefined {
      return sealedClaim === null ? undefined : parse(claimSchema, JSON.parse(openText(claims, id, sealedClaim)));
    },

    sealBuyer: (orderId: string, { email, name }: Buyer) => sealText(buyers, orderId, JSON.stringify({ email, name })),
    openBuyer({ id, sealedBuyer }: Pick<OrderRow, 'id' | 'sealedBuyer'>): Buyer {
      return sealedBuyer === null
        ? { email: null, name: null }
        : parse(buyerSchema, JSON.parse(openText(buyers, id, sealedBuyer)));
    },
  };
}
