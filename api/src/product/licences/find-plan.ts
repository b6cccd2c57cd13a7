import type { ActivePlan } from '@app/contracts/active-plan';
import type { Db } from '#api/foundation/db/schema.ts';
import type { Pseudonyms } from '#api/foundation/visitors/pseudonyms.ts';
import { activePlan } from './licence-periods.ts';
import { createLicencesRepository } from './licences.repository.ts';

/** Finds the plan that a device has now, for all of its apps; null when it has none. */
export async function findPlan(
  { db, pseudonyms, now }: { db: Db; pseudonyms: Pseudonyms; now: () => number },
  hwid: string,
): Promise<ActivePlan | null> {
  const at = now();
  return activePlan(await createLicencesRepository(db).listPeriodsOfDevice(pseudonyms.hwid(hwid), at), at);
}
