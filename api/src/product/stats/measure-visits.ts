import { DAY_MS } from '#api/foundation/audit/anchor.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { createAdvertisersRepository } from '#api/product/advertisers/advertisers.repository.ts';
import { createAttemptsRepository, type EndedAttempt } from '#api/product/key-system/attempts.repository.ts';
import { capPerClient, usualMs } from '#api/product/key-system/sweep-runs.ts';

/** Of all advertisers together. */
const MAX_VISITS = 1000;

/** With fewer visits to an advertiser nothing is said. */
const MIN_VISITS = 20;

/**
 * Measures what visits to each advertiser usually are, and notes it for the pages: how long the newest of a day took, and
 * how many of the newest who left within it finished. Several servers may do so at once.
 * @returns for how many advertisers that has changed
 */
export async function measureVisits({ db, now }: { db: Db; now: () => number }): Promise<number> {
  const advertisers = createAdvertisersRepository(db);
  const at = now();
  const attempts = createAttemptsRepository(db);
  const visits = await attempts.listCredited(at - DAY_MS, MAX_VISITS);
  const ended = await attempts.listEnded(at - DAY_MS, at, MAX_VISITS);
  let changed = 0;
  for (const { id } of await advertisers.list()) {
    const usual = {
      usualMs: usualMs(
        visits.filter(({ advertiserId }) => advertiserId === id),
        MIN_VISITS,
      ),
      finishedPercent: finishedPercent(ended.filter(({ advertiserId }) => advertiserId === id)),
    };
    if (await advertisers.noteUsual(id, usual)) changed++;
  }
  return changed;
}

/** A visitor who tries a step again counts once at it, and as finished when one try was. Null when too few count. */
function finishedPercent(ended: readonly EndedAttempt[]): number | null {
  const visits = new Map<string, EndedAttempt>();
  for (const attempt of ended) {
    const of = `${attempt.deviceId} ${attempt.step}`;
    if (attempt.state === 'verified' || !visits.has(of)) visits.set(of, attempt);
  }
  const counted = capPerClient([...visits.values()]);
  if (counted.length < MIN_VISITS) return null;

  const finished = counted.filter(({ state }) => state === 'verified').length;
  return Math.round((100 * finished) / counted.length);
}
