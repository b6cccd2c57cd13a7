import type { AttemptRow } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { isLeftBy, weightOf, type StrikeCode } from './eligibility.ts';
import type { KeySystem } from './key-system.ts';
import { transact } from './transact.ts';

export interface Rejection {
  attempt: AttemptRow;
  deviceId: string;
  reason: StrikeCode;
  /** Who came back with the attempt, and gets the strike. */
  by: ClientIdentity;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Rejects an attempt and adds the strike for it. `decided_before`: another request was first, and nothing was changed.
 */
export function rejectAttempt(
  { db }: Pick<KeySystem, 'db'>,
  { attempt: { id, runId, step, advertiserId }, deviceId, reason, by, at }: Rejection,
): Promise<{ kind: 'rejected' } | { kind: 'decided_before' }> {
  return transact(db, async (tx) => {
    const run = await tx.runs.lock(runId);
    if (!run || !(await tx.attempts.reject(id, reason, at))) return { kind: 'decided_before' };

    await tx.strikes.add({
      id: randomId(),
      deviceId,
      visitorHmac: by.browser?.hmac ?? null,
      ipHmac: by.networks[0],
      code: reason,
      weight: weightOf(reason),
      at,
    });
    const about = { at, subject: deviceId };
    const detail = { run: runId, attempt: id, step, advertiser: advertiserId };
    tx.record({ ...about, kind: 'strike', code: reason, detail });

    // A stranger can spoil their own attempt in this way, but not end the run.
    if (reason === 'KS_REUSE' && isLeftBy(run, by) && (await tx.runs.cancel(runId, at)))
      tx.record({ ...about, kind: 'run', code: 'cancelled', detail: { run: runId } });
    return { kind: 'rejected' };
  });
}
