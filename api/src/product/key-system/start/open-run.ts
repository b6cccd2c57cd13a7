import type { OperatingSystem } from '@app/contracts/key-system';
import type { AttemptRow, NewAttempt, NewRun, RunRow } from '#api/foundation/db/schema.ts';
import { rollBack, transact } from '#api/foundation/audit/transact.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { blockOf } from '#api/product/devices/device.ts';
import { createDevicesRepository } from '#api/product/devices/devices.repository.ts';
import { createCaptchaRepository } from '#api/product/captcha/captcha.repository.ts';
import { isTraceOf, filterTraces } from '#api/product/key-system/eligibility.ts';
import { matchZone, pickRun } from '#api/product/key-system/zones.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import type { Limits } from '#api/product/limits/limits.ts';
import { isLive, isOpen, runExpiry } from '#api/product/key-system/run-lifecycle.ts';
import { createAttemptsRepository, type RecentAttempt } from '#api/product/key-system/attempts.repository.ts';
import { createRunsRepository } from '#api/product/key-system/runs.repository.ts';

export type RunOrder = Pick<
  NewRun,
  'id' | 'appId' | 'zoneHmac' | 'sealedSubject' | 'sealedZone' | 'os' | 'stepsRequired'
> & {
  hwidHmac: string;
  /** Also of a browser that gets its cookie only with this response. */
  visitorHmac: string | null;
  /** The system that the captcha pass must be for; undefined where the app does not name one. */
  passOs: OperatingSystem | undefined;
  /** Whether to begin a run although one for another zone is open. */
  isParallel: boolean;
  by: ClientIdentity;
  at: number;
};

export type OpenedRun =
  /** A new run, with its first attempt. */
  | { kind: 'opened'; run: RunRow }
  /** One that was open already: its visitor goes on with it and needs no pass. */
  | { kind: 'open'; run: RunRow }
  | { kind: 'no_pass' }
  /** An operator blocked the device after its snapshot was read. */
  | { kind: 'blocked' }
  /** A limit of runs in an hour is reached; until a time in epoch milliseconds. */
  | { kind: 'limited'; until: number };

/** Opens a run, with its first attempt, for a captcha pass. When it opens none, it changes nothing. */
export function openRun(
  { db, limits }: Pick<KeySystem, 'db' | 'limits'>,
  { hwidHmac, passOs, isParallel, by, at, ...columns }: RunOrder,
  attempt?: AttemptOrder,
): Promise<OpenedRun> {
  const needs = {
    devices: createDevicesRepository,
    runs: createRunsRepository,
    attempts: createAttemptsRepository,
    passes: createCaptchaRepository,
  };
  return transact(db, needs, async (tx) => {
    // Locks the device's row first, so that starts of one device run one after the other and each sees the runs before
    // it.
    const device = await tx.devices.ensure(columns.appId, hwidHmac, at);
    if (blockOf(device, at)) return rollBack<OpenedRun>({ kind: 'blocked' });

    const deviceId = device.id;
    const runs = await tx.runs.listOpenOrNewer(deviceId, at - HOUR_MS);
    // Usually there is none, and a statement less for the others to wait for.
    if (runs.some((run) => run.state === 'open' && !isOpen(run, at))) await tx.runs.expireOfDevice(deviceId, at);

    const claimant = { zoneHmac: columns.zoneHmac, by };
    const openRuns = runs.filter((run) => isOpen(run, at));
    const open = pickRun(openRuns, claimant);
    const isForAnotherZone = open && matchZone(open, claimant) === 'other';
    if (open && !(isParallel && isForAnotherZone)) return { kind: 'open', run: open };

    const { startsPerHour, networkStartsPerHour } = limits;
    const starts = runs.map((run) => ({ ...run, at: run.createdAt })).filter((run) => run.at > at - HOUR_MS);
    const own = filterTraces(starts, by).map((start) => start.at);
    const ofNetwork = await tx.runs.findNetworkStart(by, at - HOUR_MS, networkStartsPerHour.hard - 1);
    const until = laterTime(limitedUntil(own, startsPerHour), ofNetwork && ofNetwork + HOUR_MS);
    if (until !== undefined) return rollBack<OpenedRun>({ kind: 'limited', until });
    if (!(await tx.passes.consume(hwidHmac, passOs, by, at))) return rollBack<OpenedRun>({ kind: 'no_pass' });

    const run = await tx.runs.insert({
      ...columns,
      deviceId,
      ipHmac: by.networks[0],
      createdAt: at,
      updatedAt: at,
      expiresAt: runExpiry(limits, at, at),
      completedAt: null,
    });
    if (attempt) await tx.attempts.insert(attemptOf(run, attempt));
    const detail = { run: run.id, app: run.appId, os: run.os };
    tx.record({ at, kind: 'run', code: 'opened', subject: deviceId, detail });
    return { kind: 'opened', run };
  });
}

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

  return transact(db, { runs: createRunsRepository, attempts: createAttemptsRepository }, async (tx) => {
    // This locks the run's row, so that attempts of one run are added one after the other.
    const current = await tx.runs.extend(run, at, runExpiry(limits, run.createdAt, at));
    if (!current) return { kind: 'moved_on' };

    const recent = await tx.attempts.listRecent(run.id, at - HOUR_MS);
    // A stranger who knows the device id uses up only their own tries and tabs.
    const own = filterTraces(recent, by);
    const until = laterTime(
      limitedUntil(own.map(issuedAtOf), limits.attemptsPerHour),
      // The limit for all clients together does not count for the browser and the network that began the run.
      isTraceOf(current, by) ? undefined : limitedUntil(recent.map(issuedAtOf), limits.attemptsOfAllPerHour),
    );
    if (until !== undefined) return { kind: 'limited', until };

    const live = own.filter((attempt) => attempt.step === run.step && isLive(attempt, at));
    await tx.attempts.supersede(listSurplusAttempts(live, by, limits));
    await tx.attempts.insert(attemptOf(run, order));
    return { kind: 'issued' };
  });
}

function attemptOf(run: Pick<RunRow, 'id' | 'step'>, { by, ...order }: AttemptOrder): NewAttempt {
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

const issuedAtOf = ({ at }: { at: number }) => at;

/**
 * The attempts that end to make room for one more. A client without a cookie answers for its whole network, but ends no
 * attempt of a browser that has one.
 */
function listSurplusAttempts(
  live: readonly RecentAttempt[],
  { browser }: ClientIdentity,
  { liveAttemptsPerStep }: Limits,
): string[] {
  const unclaimed = live.filter(({ visitorHmac }) => visitorHmac === null || visitorHmac === browser?.hmac);
  return unclaimed.slice(liveAttemptsPerStep - 1).map(({ id }) => id);
}

const HOUR_MS = 60 * 60 * 1000;

/** When a limit per hour allows one more; undefined while there is room. */
export function limitedUntil(times: readonly number[], limit: number): number | undefined {
  const inTheWay = times.toSorted((a, b) => b - a)[limit - 1];
  return inTheWay === undefined ? undefined : inTheWay + HOUR_MS;
}

export function laterTime(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** Many people share a carrier's network, so from a busy one captchas cost more, instead of being refused. */
export async function findCaptchaCostFactor(
  { db, limits, now }: Pick<KeySystem, 'db' | 'limits' | 'now'>,
  by: ClientIdentity,
): Promise<number> {
  const starts = await createRunsRepository(db).countNetworkStarts(by, now() - HOUR_MS);
  return starts >= limits.networkStartsPerHour.soft ? limits.captchaCostFactor : 1;
}
