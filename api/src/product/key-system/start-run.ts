import { DEFAULT_ADVERTISER, DEFAULT_OS, pickAdvertiser } from '@app/contracts/key-system';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { activePlan } from '#api/product/licences/licence-periods.ts';
import { continueRun } from './continue-run.ts';
import { BEGINNING, leadTo } from './destinations.ts';
import { depart, prepareDeparture } from './departure.ts';
import { cooldownOf } from './eligibility.ts';
import type { KeySystem } from './key-system.ts';
import { moveRun } from './move-run.ts';
import { openRun } from './open-run.ts';
import type { Snapshot } from './snapshots.repository.ts';
import { claimantOf, keepsZone, zoneOf, type StartRequest, type StartResult } from './start-request.ts';
import { matchZone, pickKey, pickRun } from './zone-matching.ts';

/**
 * Handles a press of Complete: continues the device's open run, or opens one, and leads to an advertiser. A device with a
 * plan is led to the page that says so.
 */
export async function startRun(keySystem: KeySystem, request: StartRequest): Promise<StartResult> {
  const { snapshots, pseudonyms, subjectCipher, limits, now } = keySystem;
  const { appId, visitor, os, by, visitorHmac, step } = request;
  const at = now();
  const hwidHmac = pseudonyms.hwid(visitor.hwid);
  const claimant = claimantOf(keySystem, request);

  const device = await snapshots.read(appId, hwidHmac, { at, strikesSince: at - limits.strikes.windowMs });
  const cooldown = cooldownOf(device, device.strikes, by, limits.strikes, at);
  const isBlocked = cooldown?.reason === 'KS_BLOCKED';
  // A plan needs no steps, so its device is not sent to an advertiser.
  if (!isBlocked && activePlan(device.periods, at)) return leadTo({ page: 'getkey' });
  if (cooldown) return leadTo({ page: 'bypass', ...cooldown });

  const open = pickRun(device.runs, claimant);
  const isGivenUp = open && request.run === 'new' && matchZone(open, claimant) === 'other';
  if (open && !isGivenUp) return continueRun(keySystem, open, request, at);
  if (await hasKey(keySystem, device, request, at)) return leadTo({ page: 'getkey' });

  const beginning = { ...beginningOf(request), ...(isGivenUp && { run: 'new' as const }) };
  if (step !== undefined && step !== 1) return leadTo(beginning);

  // Whoever has begun goes on; whoever has not begun loses nothing by waiting.
  if (keySystem.isOverloaded()) return { kind: 'overloaded' };

  const id = randomId();
  const order = {
    id,
    appId,
    hwidHmac,
    ...zoneOf(keySystem, id, request),
    sealedSubject: subjectCipher.seal(id, visitor.hwid),
    os: os ?? DEFAULT_OS,
    passOs: os,
    by,
    visitorHmac,
    isBeside: request.run === 'new',
    stepsRequired: device.stepsRequired,
    at,
  };
  const departure = await prepareDeparture(keySystem, { ...order, step: 1 }, request, at);
  const opened = await openRun(keySystem, order, departure.attempt);
  switch (opened.kind) {
    case 'opened':
      return depart(keySystem, departure);
    case 'open':
      return continueRun(keySystem, opened.run, request, at);
    case 'blocked':
      return leadTo({ page: 'bypass', reason: 'KS_BLOCKED', until: opened.until });
    case 'no_pass':
      return leadTo({ ...beginning, notice: 'KS_CAPTCHA' });
    case 'limited':
      return leadTo({ ...beginning, notice: 'KS_LIMIT', until: opened.until });
  }
}

/** Whether the client has a key already. A key of the same browser's run is moved to the zone of the request. */
async function hasKey(keySystem: KeySystem, device: Snapshot, request: StartRequest, at: number): Promise<boolean> {
  const key = pickKey(device.keys, claimantOf(keySystem, request));
  if (!key || key.expiresAt - at <= keySystem.limits.renewalMs) return false;
  if (key.zone === 'same') return true;
  if (key.zone === 'other' || key.runId === null) return false;
  if (keepsZone(request)) return true;

  const moved = await moveRun(keySystem, key.runId, zoneOf(keySystem, key.runId, request), request.by, at);
  return moved.kind === 'moved';
}

/** The page where a run begins, with the chosen advertiser; the default one is left out. */
function beginningOf({ appId, advertiser }: StartRequest) {
  const chosen = pickAdvertiser(appId, 1, advertiser);
  return chosen === DEFAULT_ADVERTISER ? BEGINNING : { ...BEGINNING, advertiser: chosen };
}
