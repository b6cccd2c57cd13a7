import type { OperatingSystem } from '@app/contracts/key-system';
import type { NewRun, RunRow } from '#api/foundation/db/schema.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import { blockOf } from '#api/product/devices/block.ts';
import { ownTraces } from './eligibility.ts';
import { attemptOf, type AttemptOrder } from './issue-attempt.ts';
import type { KeySystem } from './key-system.ts';
import { runExpiry } from './limits.ts';
import { isOpen } from './run-lifecycle.ts';
import { transact } from './transact.ts';
import { HOUR_MS, laterOf, whenFree } from './when-free.ts';
import { matchZone, pickRun } from './zone-matching.ts';

export type RunOrder = Pick<
  NewRun,
  'id' | 'appId' | 'zoneHmac' | 'sealedSubject' | 'sealedZone' | 'os' | 'stepsRequired'
> & {
  hwidHmac: string;
  /**
   * The HMAC of the browser that begins the run, even if it gets its cookie only with this response; null if unknown.
   */
  visitorHmac: string | null;
  /** The system that the captcha pass must be for; undefined where the app does not name one. */
  passOs: OperatingSystem | undefined;
  /** Whether to begin a run although one for another zone is open. */
  isBeside: boolean;
  by: ClientIdentity;
  /** Epoch milliseconds. */
  at: number;
};

export type OpenedRun =
  /** A new run, with its first attempt. */
  | { kind: 'opened'; run: RunRow }
  /** One that was open already: its visitor goes on with it and needs no pass. */
  | { kind: 'open'; run: RunRow }
  | { kind: 'no_pass' }
  /**
   * An operator blocked the device after its snapshot was read; until a time in epoch milliseconds, or without an end
   * (null).
   */
  | { kind: 'blocked'; until: number | null }
  /** A limit of runs in an hour is reached; until a time in epoch milliseconds. */
  | { kind: 'limited'; until: number };

/**
 * Opens a run and consumes one captcha pass for it. When it opens none, it changes nothing.
 * @param attempt the first attempt of the new run; undefined while its advertiser is down
 */
export function openRun(
  { db, limits }: Pick<KeySystem, 'db' | 'limits'>,
  { hwidHmac, passOs, isBeside, by, at, ...columns }: RunOrder,
  attempt?: AttemptOrder,
): Promise<OpenedRun> {
  return transact<OpenedRun>(db, async (tx) => {
    // Locks the device's row first, so that starts of one device run one after the other and each sees the runs before
    // it.
    const device = await tx.devices.ensure(columns.appId, hwidHmac, at);
    const block = blockOf(device, at);
    if (block) return rollBack({ kind: 'blocked', until: block.until });

    const deviceId = device.id;
    const runs = await tx.runs.listOpenOrNewer(deviceId, at - HOUR_MS);
    // Usually there is none, and a statement less for the others to wait for.
    if (runs.some((run) => run.state === 'open' && !isOpen(run, at))) await tx.runs.expireOfDevice(deviceId, at);

    const claimant = { zoneHmac: columns.zoneHmac, by };
    const open = pickRun(
      runs.filter((run) => isOpen(run, at)),
      claimant,
    );
    const isGivenUp = open && isBeside && matchZone(open, claimant) === 'other';
    if (open && !isGivenUp) return { kind: 'open', run: open };

    const { startsPerHour, networkStartsPerHour } = limits;
    const starts = runs.map((run) => ({ ...run, at: run.createdAt })).filter((run) => run.at > at - HOUR_MS);
    const own = ownTraces(starts, by).map((start) => start.at);
    const ofNetwork = await tx.runs.findNetworkStart(by, at - HOUR_MS, networkStartsPerHour.hard - 1);
    const until = laterOf(whenFree(own, startsPerHour), ofNetwork && ofNetwork + HOUR_MS);
    if (until !== undefined) return rollBack({ kind: 'limited', until });
    if (!(await tx.passes.consume(hwidHmac, passOs, by, at))) return rollBack({ kind: 'no_pass' });

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
    tx.record({
      at,
      kind: 'run',
      code: 'opened',
      subject: deviceId,
      detail: { run: run.id, app: run.appId, os: run.os },
    });
    return { kind: 'opened', run };
  });
}
