import type { ActivePlan } from '@app/contracts/active-plan';
import type { LicenceRow, PeriodRow } from '#api/foundation/db/schema.ts';
import { activePlan } from './licence-periods.ts';
import type { LicencesRepository } from './licences.repository.ts';

/** What an e-mail address owns. */
export interface Owned {
  /** Every licence of the address, also those that have ended. */
  licenceIds: string[];
  /** The licences with a period that has not ended, the newest first. */
  active: [LicenceRow, ...LicenceRow[]];
  /** The plan that they give together. */
  plan: ActivePlan;
}

/**
 * Finds the licences of an e-mail address.
 * @returns undefined when none of them has a period that has not ended
 */
export async function findOwned(
  licences: LicencesRepository,
  emailHmac: string,
  at: number,
): Promise<Owned | undefined> {
  const all = await licences.listByEmail(emailHmac);
  const active: LicenceRow[] = [];
  const periods: PeriodRow[] = [];
  for (const licence of all) {
    const own = await licences.listPeriods(licence.id);
    if (activePlan(own, at) === null) continue;
    active.push(licence);
    periods.push(...own);
  }

  const [newest, ...others] = active;
  const plan = activePlan(periods, at);
  return newest && plan ? { licenceIds: all.map(({ id }) => id), active: [newest, ...others], plan } : undefined;
}
