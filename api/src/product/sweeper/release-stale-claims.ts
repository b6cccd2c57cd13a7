import type { Db } from '#api/foundation/db/schema.ts';
import { expireRun } from '#api/product/key-system/sweep-runs.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import { createExpiryRepository } from './expiry.repository.ts';

interface ReleaseOptions {
  db: Db;
  /** The name of this server; no other server has it. */
  instance: string;
  limits: Pick<Limits, 'checkingMs'>;
  at: number;
}

/**
 * Ends, at a start, the checks that the dead process of this server held. The sweeper would do so a minute or two
 * later.
 */
export async function releaseStaleClaims({ db, instance, limits, at }: ReleaseOptions): Promise<void> {
  for (const runId of await createExpiryRepository(db).listHeldBy(instance)) {
    await expireRun({ db }, runId, { at, claimedBefore: at - limits.checkingMs, startedAs: instance });
  }
}
