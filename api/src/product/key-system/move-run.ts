import type { Db } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { RunZone } from './runs.repository.ts';
import { transact } from './transact.ts';

/**
 * Moves a run, or its finished key, to another zone. Only the browser that began the run may do that.
 * @param at epoch milliseconds
 */
export function moveRun(
  { db }: { db: Db },
  runId: string,
  zone: RunZone,
  by: ClientIdentity,
  at: number,
): Promise<{ kind: 'moved' } | { kind: 'not_theirs' }> {
  return transact(db, async (tx) => {
    const moved = await tx.runs.setZone(runId, zone, by, at);
    if (!moved) return { kind: 'not_theirs' };

    tx.record({ at, kind: 'run', code: 'moved', subject: moved.deviceId, detail: { run: runId } });
    return { kind: 'moved' };
  });
}
