import type { AttemptRow, AttemptState, Db, RunRow } from '#api/db/schema.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import { runExpiry, type Limits } from './limits.ts';
import { ownTraces } from './eligibility.ts';
import { isBegunBy } from './zone-matching.ts';
import { laterOf, whenFree } from './when-free.ts';

const HOUR_IN_MS = 60 * 60 * 1000;

/** States of an attempt that its visitor may still come back with. */
const LIVE: AttemptState[] = ['issued', 'awaiting_postback'];

export type NewAttempt = Pick<
  AttemptRow,
  'id' | 'advertiserId' | 'tokenHash' | 'sealedContext' | 'issuedAt' | 'notBefore' | 'expiresAt'
> & {
  by: ClientIdentity;
};

/** Adds an attempt inside a transaction; what it means stands at the repository's `issue`. */
export async function issueAttempt(
  trx: Db,
  run: RunRow,
  { by, ...attempt }: NewAttempt,
  limits: Limits,
): Promise<'issued' | 'moved_on' | { limitedUntil: number }> {
  const at = attempt.issuedAt;
  // Touching the run first also makes parallel attempts of one run wait for each other.
  const touched = await trx
    .updateTable('run')
    .set({ updatedAt: at, expiresAt: runExpiry(limits, run.createdAt, at) })
    .where('id', '=', run.id)
    .where('state', '=', 'open')
    .where('step', '=', run.step)
    .where('expiresAt', '>', at)
    .returning(['id', 'visitorHmac'])
    .executeTakeFirst();
  if (!touched) return 'moved_on';

  const recent = await trx
    .selectFrom('stepAttempt')
    .select(['id', 'step', 'state', 'expiresAt', 'visitorHmac', 'ipHmac', 'issuedAt as at'])
    .where('runId', '=', run.id)
    .where('issuedAt', '>', at - HOUR_IN_MS)
    .orderBy('issuedAt', 'desc')
    .execute();
  // Who only knows the device id of somebody else uses up tries and tabs of their own.
  const own = ownTraces(recent, by);
  const limitedUntil = laterOf(
    whenFree(own.map(timeOf), limits.attemptsPerHour),
    // All of them together cannot use up what the browser has that began the run.
    isBegunBy(touched, by) ? undefined : whenFree(recent.map(timeOf), limits.attemptsOfAllPerHour),
  );
  if (limitedUntil !== undefined) return { limitedUntil };

  const live = own.filter(({ step, state, expiresAt }) => step === run.step && LIVE.includes(state) && expiresAt > at);
  // Whoever has no cookie answers for a whole network, yet closes no tab of a browser that has one.
  const nobodyElses = live.filter(({ visitorHmac }) => visitorHmac === null || visitorHmac === by.browser?.hmac);
  await supersede(trx, nobodyElses.slice(limits.liveAttemptsPerStep - 1));
  await trx
    .insertInto('stepAttempt')
    .values({
      ...attempt,
      visitorHmac: by.browser?.hmac ?? null,
      ipHmac: by.networks[0],
      runId: run.id,
      step: run.step,
      returnedAt: null,
      claimedBy: null,
      postbackAt: null,
      verifiedAt: null,
      proofAt: null,
      providerRef: null,
      reason: null,
    })
    .execute();
  return 'issued';
}

const timeOf = ({ at }: { at: number }) => at;

/** Makes room for one more live attempt. */
async function supersede(trx: Db, surplus: readonly { id: string }[]): Promise<void> {
  if (surplus.length === 0) return;

  const ids = surplus.map(({ id }) => id);
  await trx
    .updateTable('stepAttempt')
    .set({ state: 'superseded' })
    .where('id', 'in', ids)
    .where('state', 'in', LIVE)
    .execute();
}
