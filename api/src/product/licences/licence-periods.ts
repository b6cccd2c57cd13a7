import { type ActivePlan, PLAN_RENEWAL_MS, type PlanId } from '@app/contracts/active-plan';
import { PLANS } from '@app/contracts/plans';
import type { Db, PeriodRow } from '#api/foundation/db/schema.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { transact, type Transaction } from '#api/foundation/audit/transact.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createKeysRepository } from '#api/product/keys/keys.repository.ts';
import { recordRevoked } from '#api/product/keys/revoke-keys.ts';
import type { EmailCipher } from './email-cipher.ts';
import { createLicencesRepository } from './licences.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Why a payment ends a period. When the payment is held again, the period comes back. */
const PAYMENT_REASONS: readonly string[] = ['dispute', 'refund'];

export type PeriodSpan = Pick<PeriodRow, 'id' | 'planId' | 'startsAt' | 'endsAt' | 'revokedAt'>;

/** How long one period of a plan is, in milliseconds. */
export function durationOf(planId: PeriodRow['planId']): number {
  return (PLANS.find(({ id }) => id === planId)?.days ?? 0) * DAY_MS;
}

/** When a new period of a licence begins: when the last one ends, or now. Periods of one licence leave no gap. */
export function nextStart(periods: readonly PeriodSpan[], at: number): number {
  return activePlan(periods, at)?.until ?? at;
}

/** The plan that periods give, up to the end of the last one without a gap before it; null when none covers `at`. */
export function activePlan(periods: readonly PeriodSpan[], at: number): ActivePlan | null {
  const ahead = listUnrevoked(periods)
    .filter(({ endsAt }) => endsAt > at)
    .sort((one, other) => one.startsAt - other.startsAt);
  const current = ahead.filter(({ startsAt }) => startsAt <= at);
  const best = PLANS.findLast(({ id }) => current.some(({ planId }) => planId === id));
  if (!best) return null;

  const until = ahead.reduce((end, { startsAt, endsAt }) => (startsAt <= end ? Math.max(end, endsAt) : end), at);
  return { id: best.id, until, renewable: until - at <= PLAN_RENEWAL_MS };
}

/** The plan of the period that has ended last; undefined while a plan runs, or when none has ended. */
export function endedPlan(periods: readonly PeriodSpan[], at: number): { id: PlanId; endedAt: number } | undefined {
  if (activePlan(periods, at)) return undefined;

  const ended = listUnrevoked(periods).filter(({ endsAt }) => endsAt <= at);
  const last = ended.sort((one, other) => one.endsAt - other.endsAt).at(-1);
  return last && { id: last.planId, endedAt: last.endsAt };
}

/** After a period was revoked: moves the later ones forward, and returns those with their new times. */
export function closeGap(periods: readonly PeriodSpan[], at: number): Pick<PeriodSpan, 'id' | 'startsAt' | 'endsAt'>[] {
  const sorted = listUnrevoked(periods)
    .filter(({ endsAt }) => endsAt > at)
    .sort((one, other) => one.startsAt - other.startsAt);

  let free = at;
  return sorted.flatMap(({ id, startsAt, endsAt }) => {
    const begin = startsAt <= at ? startsAt : Math.min(startsAt, free);
    const end = begin + (endsAt - startsAt);
    free = Math.max(free, end);
    return begin === startsAt ? [] : [{ id, startsAt: begin, endsAt: end }];
  });
}

function listUnrevoked<Period extends PeriodSpan>(periods: readonly Period[]): Period[] {
  return periods.filter(({ revokedAt }) => revokedAt === null);
}

export type PaymentSource = { orderId: string; codeId: null } | { orderId: null; codeId: string };

interface Grant {
  /** The plan's buyer; null when the provider knows no address. */
  email: string | null;
  hwidHmac: string;
  planId: PlanId;
  paidWith: PaymentSource;
  at: number;
}

/**
 * Gives a device a period of a plan. It extends the licence of this address that the device is bound to, or makes a new
 * licence. It begins when the last period of this licence ends; what others have paid for the device postpones nothing.
 * To be called within the transaction that records the payment.
 * @throws when the order or the code has its period already: each has one, says the database
 */
export async function grantPeriod(
  tx: Transaction<{ devices: typeof createDevicesRepository; licences: typeof createLicencesRepository }>,
  emails: EmailCipher,
  { email, hwidHmac, planId, paidWith, at }: Grant,
): Promise<{ licenceId: string; plan: ActivePlan }> {
  // Locks the device's row first, so that two payments for one device come one after the other.
  const { id: deviceId } = await tx.devices.ensure('main', hwidHmac, at);
  const emailHmac = email === null ? null : emails.hmac(email);
  const known = await tx.licences.findBound(deviceId, emailHmac);
  const licenceId = known?.id ?? randomId();
  if (known) await tx.licences.lock(licenceId);
  else {
    await tx.licences.insert({
      id: licenceId,
      ...(email === null ? { emailHmac: null } : emails.stored(licenceId, email)),
      createdAt: at,
    });
  }
  // Also a known licence: a reset at this moment may have unbound the device that has just paid.
  await tx.licences.bind(licenceId, deviceId, at);

  const startsAt = nextStart(await tx.licences.listPeriods(licenceId), at);
  const endsAt = startsAt + durationOf(planId);
  await tx.licences.insertPeriod({
    id: randomId(),
    licenceId,
    planId,
    ...paidWith,
    startsAt,
    endsAt,
    revokedAt: null,
    revokeReason: null,
  });
  tx.record({
    at,
    kind: 'licence',
    code: known ? 'extended' : 'granted',
    subject: deviceId,
    detail: { licence: licenceId, plan: planId, until: endsAt, ...paidWith },
  });

  const plan = activePlan(await tx.licences.listPeriodsOfDevice(hwidHmac, at), at);
  if (!plan) throw new Error('A period was granted, and the device has no plan.');
  return { licenceId, plan };
}

/**
 * Takes a paid period back, and only that one: later periods move forward. No key of its devices outlasts what is left
 * of their periods. To be called within the transaction that records why.
 * @returns false when the period was revoked before
 */
export async function revokePeriod(
  tx: Transaction<{ keys: typeof createKeysRepository; licences: typeof createLicencesRepository }>,
  period: PeriodRow,
  { reason, at, by }: Revocation,
): Promise<boolean> {
  const { id, licenceId } = period;
  await tx.licences.lock(licenceId);
  if (!(await tx.licences.revokePeriod(id, reason, at))) return false;

  for (const later of closeGap(await tx.licences.listPeriods(licenceId), at)) await tx.licences.movePeriod(later);

  await endOutlastingKeys(tx, await tx.licences.listHwids(licenceId), reason, at);
  recordRevocation(tx, period, { reason, at, by });
  return true;
}

interface Revocation {
  reason: string;
  at: number;
  by?: string | undefined;
}

function recordRevocation(
  { record }: Pick<Transaction<Record<never, never>>, 'record'>,
  { licenceId: licence, orderId, codeId }: PeriodRow,
  { at, reason, by }: Revocation,
): void {
  const detail = { licence, orderId, codeId, reason, ...(by !== undefined && { by }) };
  record({ at, kind: 'licence', code: 'period revoked', subject: null, detail });
}

/** Takes back one period, by an operator; says whether it was this call. Undefined when there is no such period. */
export function revokePeriodByOperator(
  { db }: { db: Db },
  id: string,
  reason: string,
  { by, at }: Act,
): Promise<{ period: PeriodRow; isWithdrawn: boolean } | undefined> {
  return transact(db, { keys: createKeysRepository, licences: createLicencesRepository }, async (tx) => {
    const period = await tx.licences.findPeriod(id);
    if (!period) return undefined;
    // Whatever its payment does, an operator's word lasts.
    const lasting = PAYMENT_REASONS.includes(reason) ? `${reason}, by ${by}` : reason;
    const end = { reason: lasting, at, by };
    if (await revokePeriod(tx, period, end)) return { period, isWithdrawn: true };

    const isKept = await tx.licences.keepRevoked(id, lasting, PAYMENT_REASONS);
    if (isKept) recordRevocation(tx, period, end);
    return { period, isWithdrawn: isKept };
  });
}

/**
 * Revokes the keys that devices have from plans, as far as they would outlast what is left of these. Such a key may rest
 * on periods of several licences. To be called after each change that takes time from a device, within its transaction.
 * @param hwidHmacs the devices that have lost some
 */
export async function endOutlastingKeys(
  {
    keys,
    licences,
    record,
  }: Transaction<{
    keys: typeof createKeysRepository;
    licences: typeof createLicencesRepository;
  }>,
  hwidHmacs: readonly string[],
  reason: string,
  at: number,
): Promise<void> {
  for (const planOf of hwidHmacs) {
    const left = activePlan(await licences.listPeriodsOfDevice(planOf, at), at);
    const revoked = await keys.revoke({ planOf, endingAfter: left?.until ?? at }, reason, at);
    recordRevoked({ record }, revoked, { reason, at });
  }
}

/**
 * Gives back a period that ended with its payment: what was left of it then, behind what the licence has now. To be
 * called within the transaction that records why.
 * @returns false when something else ended it
 */
export async function restorePeriod(
  tx: Transaction<{ licences: typeof createLicencesRepository }>,
  { id, licenceId, orderId, startsAt: start, endsAt: end, revokedAt, revokeReason }: PeriodRow,
  at: number,
): Promise<boolean> {
  if (revokedAt === null || !PAYMENT_REASONS.includes(revokeReason ?? '')) return false;

  await tx.licences.lock(licenceId);
  const startsAt = nextStart(await tx.licences.listPeriods(licenceId), at);
  const endsAt = startsAt + Math.max(0, end - Math.max(start, revokedAt));
  await tx.licences.restorePeriod({ id, startsAt, endsAt });
  tx.record({
    at,
    kind: 'licence',
    code: 'period restored',
    subject: null,
    detail: { licence: licenceId, orderId, until: endsAt },
  });
  return true;
}
