import type { AttemptRow, Db } from '#api/db/schema.ts';
import { appendAudit } from '#api/features/audit/append-audit.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import { randomId } from '#api/crypto/random-id.ts';
import { isLeftBy, weightOf, type StrikeCode } from './eligibility.ts';
import { createStrikesRepository } from './strikes.repository.ts';

export interface Refusal {
  reason: StrikeCode;
  deviceId: string;
  /** Who came back with the attempt, and answers for it. */
  by: ClientIdentity;
  at: number;
}

/** Turns an attempt down inside a transaction; what it promises stands at the repository's `reject`. */
export async function rejectAttempt(
  trx: Db,
  { id, runId, step, advertiserId }: AttemptRow,
  { reason, deviceId, by, at }: Refusal,
): Promise<boolean> {
  // The run's row is taken first, as everywhere: so two transactions never deadlock.
  const run = await trx
    .updateTable('run')
    .set({ updatedAt: at })
    .where('id', '=', runId)
    .returning(['visitorHmac', 'ipHmac'])
    .executeTakeFirstOrThrow();

  const rejected = await trx
    .updateTable('stepAttempt')
    .set({ state: 'rejected', reason, returnedAt: at })
    .where('id', '=', id)
    // A claimed attempt is being checked; one that came back too early never was claimed.
    .where('state', '=', reason === 'KS_FAST' ? 'issued' : 'checking')
    .returning('id')
    .executeTakeFirst();
  if (!rejected) return false;

  await createStrikesRepository(trx).add({
    id: randomId(),
    deviceId,
    visitorHmac: by.browser?.hmac ?? null,
    ipHmac: by.networks[0],
    code: reason,
    weight: weightOf(reason),
    at,
  });
  // A stranger who knows the device id may spoil an attempt of their own, not the run.
  const endsRun = reason === 'KS_REUSE' && isLeftBy(run, by) && (await cancelRun(trx, runId, at));

  const about = { at, subject: deviceId };
  await appendAudit(trx, {
    ...about,
    kind: 'strike',
    code: reason,
    detail: { run: runId, attempt: id, step, advertiser: advertiserId },
  });
  if (endsRun) await appendAudit(trx, { ...about, kind: 'run', code: 'cancelled', detail: { run: runId } });
  return true;
}

async function cancelRun(trx: Db, runId: string, at: number): Promise<boolean> {
  const cancelled = await trx
    .updateTable('run')
    .set({ state: 'cancelled', updatedAt: at })
    .where('id', '=', runId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst();

  return cancelled !== undefined;
}
