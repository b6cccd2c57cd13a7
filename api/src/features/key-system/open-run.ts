import type { OperatingSystem } from '@app/contracts/key-system';
import type { NewRun, RunRow } from '#api/db/schema.ts';
import { undo } from '#api/features/audit/transact.ts';
import type { ClientIdentity } from '#api/features/devices/client-identity.ts';
import { blockOf } from '#api/features/devices/block.ts';
import { ownTraces } from './eligibility.ts';
import type { KeySystem } from './key-system.ts';
import { runExpiry } from './limits.ts';
import { transact } from './transact.ts';
import { HOUR_MS, laterOf, whenFree } from './when-free.ts';
import { matchZone, pickRun } from './zone-matching.ts';

export type RunOrder = Pick<
  NewRun,
  'id' | 'appId' | 'zoneHmac' | 'sealedSubject' | 'sealedZone' | 'os' | 'stepsRequired'
> & {
  hwidHmac: string;
  /** The browser that begins the run, also by the name that it is only now given; null where nobody named it. */
  visitorHmac: string | null;
  /** The os a captcha pass must be for; undefined where the app does not say it. */
  passOs: OperatingSystem | undefined;
  /** Whether to begin a run although one of another zone is open. */
  isBeside: boolean;
  by: ClientIdentity;
  /** Epoch milliseconds. */
  at: number;
};

export type OpenedRun =
  /** Also one that was open already: its visitor goes on with it, for free. */
  | { kind: 'open'; run: RunRow }
  | { kind: 'no_pass' }
  /** By an operator, since the device was looked at; until a moment in epoch milliseconds, or for good. */
  | { kind: 'blocked'; until: number | null }
  /** Beyond the hour's number of runs, until a moment in epoch milliseconds. */
  | { kind: 'limited'; until: number };

/** Opens a run at the price of one captcha pass. Where it opens none, it changes nothing. */
export function openRun(
  { db, limits }: Pick<KeySystem, 'db' | 'limits'>,
  { hwidHmac, passOs, isBeside, by, at, ...columns }: RunOrder,
): Promise<OpenedRun> {
  return transact<OpenedRun>(db, async (tx) => {
    // The device's row is taken first, so that its starts take turns and each sees what the one before it opened.
    const device = await tx.devices.ensure(columns.appId, hwidHmac, at);
    const block = blockOf(device, at);
    if (block) return undo({ kind: 'blocked', until: block.until });

    const deviceId = device.id;
    await tx.runs.expireOfDevice(deviceId, at);

    const claimant = { zoneHmac: columns.zoneHmac, by };
    const open = pickRun(await tx.runs.listOpen(deviceId), claimant);
    const isGivenUp = open && isBeside && matchZone(open, claimant) === 'other';
    if (open && !isGivenUp) return { kind: 'open', run: open };

    const { startsPerHour, networkStartsPerHour } = limits;
    const own = ownTraces(await tx.runs.listStarts(deviceId, at - HOUR_MS), by).map((start) => start.at);
    const ofNetwork = await tx.runs.findNetworkStart(by, at - HOUR_MS, networkStartsPerHour.hard - 1);
    const until = laterOf(whenFree(own, startsPerHour), ofNetwork && ofNetwork + HOUR_MS);
    if (until !== undefined) return undo({ kind: 'limited', until });
    if (!(await tx.passes.consume(hwidHmac, passOs, by, at))) return undo({ kind: 'no_pass' });

    const run = await tx.runs.insert({
      ...columns,
      deviceId,
      ipHmac: by.networks[0],
      createdAt: at,
      updatedAt: at,
      expiresAt: runExpiry(limits, at, at),
      completedAt: null,
    });
    tx.record({
      at,
      kind: 'run',
      code: 'opened',
      subject: deviceId,
      detail: { run: run.id, app: run.appId, os: run.os },
    });
    return { kind: 'open', run };
  });
}
