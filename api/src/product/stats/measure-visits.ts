import { DAY_MS, utcDay } from '#api/foundation/audit/anchor.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { usualMs } from '#api/product/key-system/sweep-runs.ts';
import { createCountsRepository } from './counts.repository.ts';

/** Of all advertisers together. */
const MAX_VISITS = 1000;

/** With fewer visits to an advertiser nothing is said. */
const MIN_VISITS = 20;

/**
 * Measures what visits to each advertiser usually are, and notes it for the pages: how long the newest of a day took, and
 * how many of those who left today finished. Several servers may do so at once.
 * @returns for how many advertisers that has changed
 */
export async function measureVisits({ db, now }: { db: Db; now: () => number }): Promise<number> {
  const advertisers = createAdvertisersRepository(db);
  const at = now();
  const visits = await createAttemptsRepository(db).listCredited(at - DAY_MS, MAX_VISITS);
  const today = { since: utcDay(at), appId: undefined };
  const counts = await createCountsRepository(db).readAttempts('advertiserId', today);
  let changed = 0;
  for (const { id } of await advertisers.list()) {
    const own = counts.filter(({ of }) => of === id);
    const sent = own.reduce((sum, count) => sum + Number(count.sent), 0);
    const credited = own.reduce((sum, count) => sum + Number(count.credited), 0);
    const usual = {
      usualMs: usualMs(
        visits.filter(({ advertiserId }) => advertiserId === id),
        MIN_VISITS,
      ),
      finishedPercent: sent < MIN_VISITS ? null : Math.round((100 * credited) / sent),
    };
    if (await advertisers.noteUsual(id, usual)) changed++;
  }
  return changed;
}
