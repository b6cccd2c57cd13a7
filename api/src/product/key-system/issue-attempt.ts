import type { AttemptRow, NewAttempt, RunRow } from '#api/foundation/db/schema.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { RecentAttempt } from './attempts.repository.ts';
import { isLeftBy, ownTraces } from './eligibility.ts';
import type { KeySystem } from './key-system.ts';
import { runExpiry, type Limits } from './limits.ts';
import { isLive } from './run-lifecycle.ts';
import { transact } from './transact.ts';
import { HOUR_MS, laterOf, whenFree } from './when-free.ts';

export type AttemptOrder = Pick<
  AttemptRow,
  'id' | 'advertiserId' | 'tokenHash' | 'sealedContext' | 'issuedAt' | 'notBefore' | 'expiresAt'
> & { by: ClientIdentity };

export type IssuedAttempt =
  | { kind: 'issued' }
  /** The run is at another step by now, or has ended. */
  | { kind: 'moved_on' }
  /** The hour's limit of tries is reached; until a time in epoch milliseconds. */
  | { kind: 'limited'; until: number };

/**
 * Adds an attempt at the run's current step, if the run is still there and has tries left this hour. If there are too
 * many live attempts at the step, the oldest ones end.
 */
export function issueAttempt(
  { db, limits }: Pick<KeySystem, 'db' | 'limits'>,
  run: Pick<RunRow, 'id' | 'step' | 'createdAt'>,
  order: AttemptOrder,
): Promise<IssuedAttempt> {
  const { by, issuedAt: at } = order;

  return transact(db, async (tx) => {
    // This locks the run's row, so that attempts of one run are added one after the other.
    const current = await tx.runs.extend(run, at, runExpiry(limits, run.createdAt, at));
    if (!current) return { kind: 'moved_on' };

    const recent = await tx.attempts.listRecent(run.id, at - HOUR_MS);
    // A stranger who knows the device id uses up only their own tries and tabs.
    const own = ownTraces(recent, by);
    const until = laterOf(
      whenFree(own.map(timeOf), limits.attemptsPerHour),
      // The limit for all clients together does not count for the browser and the network that began the run.
      isLeftBy(current, by) ? undefined : whenFree(recent.map(timeOf), limits.attemptsOfAllPerHour),
    );
    if (until !== undefined) return { kind: 'limited', until };

    const live = own.filter((attempt) => attempt.step === run.step && isLive(attempt, at));
    await tx.attempts.supersede(listSurplus(live, by, limits));
    await tx.attempts.insert(attemptOf(run, order));
    return { kind: 'issued' };
  });
}

/** The row of a new attempt at the run's current step. */
export function attemptOf(run: Pick<RunRow, 'id' | 'step'>, { by, ...order }: AttemptOrder): NewAttempt {
  return {
    ...order,
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
  };
}

const timeOf = ({ at }: { at: number }) => at;

/**
 * Lists the attempts that end to make room for one more. A client without a cookie answers for its whole network, but
 * ends no attempt of a browser that has a cookie.
 * @param live the newest first
 * @returns their ids
 */
function listSurplus(
  live: readonly RecentAttempt[],
  { browser }: ClientIdentity,
  { liveAttemptsPerStep }: Limits,
): string[] {
  const nobodyElses = live.filter(({ visitorHmac }) => visitorHmac === null || visitorHmac === browser?.hmac);
  return nobodyElses.slice(liveAttemptsPerStep - 1).map(({ id }) => id);
}
