import type { ActivePlan, PlanId } from '@app/contracts/active-plan';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import type { Recorder } from '#api/foundation/audit/transact.ts';
import type { EmailCipher } from './email-cipher.ts';
import { activePlan, lengthOf, nextStart } from './licence-periods.ts';
import type { Repositories } from './transact.ts';

/** What a period is paid with: an order, or a reseller's code. */
export type PaidWith = { orderId: string; codeId: null } | { orderId: null; codeId: string };

interface Grant {
  /** The plan's buyer; null when the provider knows no address. */
  email: string | null;
  hwidHmac: string;
  planId: PlanId;
  paidWith: PaidWith;
  /** Epoch milliseconds. */
  at: number;
}

type Tx = Pick<Repositories, 'devices' | 'licences'> & Recorder;

/**
 * Gives a device a period of a plan. It extends the licence of this address that the device is bound to, or makes a new
 * licence. It begins when the last period of this licence ends; what others have paid for the device postpones nothing.
 * To be called within the transaction that records the payment.
 * @throws when the order or the code has its period already: each has one, says the database
 */
export async function grantPeriod(
  tx: Tx,
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
  const endsAt = startsAt + lengthOf(planId);
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
