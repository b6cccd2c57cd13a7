import { activePlan } from './licence-periods.ts';
import type { Repositories } from './transact.ts';

/**
 * Revokes the keys that devices have from plans, as far as they would outlast what is left of these. Such a key may rest
 * on periods of several licences. To be called after each change that takes time from a device, within its transaction.
 * @param hwidHmacs the devices that have lost some
 */
export async function endOutlastingKeys(
  { keys, licences }: Pick<Repositories, 'keys' | 'licences'>,
  hwidHmacs: readonly string[],
  reason: string,
  at: number,
): Promise<void> {
  for (const planOf of hwidHmacs) {
    const left = activePlan(await licences.listPeriodsOfDevice(planOf, at), at);
    await keys.revoke({ planOf, endingAfter: left?.until ?? at }, reason, at);
  }
}
