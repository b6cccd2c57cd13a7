import { type AdvertiserId, DEFAULT_ADVERTISER, pickAdvertiser } from '@app/contracts/advertisers';
import { type AppId, DEFAULT_OS, type OperatingSystem } from '@app/contracts/key-system';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { DeviceClaim } from '#api/product/devices/device.ts';
import { randomId } from '#api/foundation/crypto/secrets.ts';
import { activePlan } from '#api/product/licences/licence-periods.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { listOffered } from '#api/product/apps/apps.repository.ts';
import type { RunStep } from '#api/product/advertisers/advertisers.service.ts';
import { transact } from '#api/foundation/audit/transact.ts';
import { FIRST_STEP, redirectTo, type PageResult, resolveDestination } from '#api/product/key-system/destinations.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import { createRunsRepository, type RunZone } from '#api/product/key-system/runs.repository.ts';
import { cooldownOf } from '#api/product/key-system/eligibility.ts';
import { matchZone, pickKey, pickRun, type ZoneClaimant } from '#api/product/key-system/zones.ts';
import { type AttemptOrder, issueAttempt, openRun } from './open-run.ts';
import {
  createSnapshotsRepository,
  type OpenRun,
  type Snapshot,
} from '#api/product/key-system/state/snapshots.repository.ts';
import { createAttemptsRepository } from '#api/product/key-system/attempts.repository.ts';
import { createTicket, hashTicket, sealVisitor } from '#api/product/key-system/ticket.ts';

/** A click on a Complete button. */
export interface StartRequest {
  appId: AppId;
  visitor: DeviceClaim;
  os: OperatingSystem | undefined;
  advertiser: string | undefined;
  by: ClientIdentity;
  /** The HMAC of the browser, even if it gets its cookie only with this response. */
  visitorHmac: string | null;
  /** The step whose button was clicked; undefined means the run's current step. */
  step: number | undefined;
  /**
   * What to do when the open run is for another zone: `keep` goes on with it unchanged, `new` begins another run.
   * `stay` comes from a page that led on without a click: a run of the same browser goes on unchanged, and for others'
   * runs the visitor is asked.
   */
  run: 'keep' | 'new' | 'stay' | undefined;
}

/** `overloaded`: the server takes no new runs at the moment. */
export type StartResult = { kind: 'advertiser'; url: string } | PageResult | { kind: 'overloaded' };

/** A request with what the server knows when it handles it. */
interface LoadedStart extends StartRequest {
  at: number;
  claimant: ZoneClaimant;
  /** The advertisers of a registered app. */
  offered: readonly AdvertiserId[] | undefined;
}

/** The zone of the request, in the form in which a run stores it. */
function zoneOf({ subjectCipher }: KeySystem, runId: string, { visitor, claimant }: LoadedStart): RunZone {
  return { zoneHmac: claimant.zoneHmac, sealedZone: subjectCipher.sealZone(runId, visitor.zone) };
}

/** Whether the request must not move a run to its own zone. */
function choosesOldZone({ run }: StartRequest): boolean {
  return run === 'keep' || run === 'stay';
}

/**
 * Starts a step: continues the device's open run, or opens one, and leads to an advertiser. A device with a plan needs
 * no steps and is led to the page of the key.
 */
export async function startRun(keySystem: KeySystem, request: StartRequest): Promise<StartResult> {
  const { db, pseudonyms, subjectCipher, limits, now } = keySystem;
  const { appId, visitor, os, by, visitorHmac, step } = request;
  const at = now();
  const hwidHmac = pseudonyms.hwid(visitor.hwid);
  const claimant = { zoneHmac: pseudonyms.zone(visitor.zone), by };

  const device = await createSnapshotsRepository(db).read(appId, hwidHmac, at, limits.strikes);
  const start = { ...request, at, claimant, offered: listOffered(device.offered) };
  const cooldown = cooldownOf(device, device.strikes, by, limits.strikes, at);
  const isBlocked = cooldown?.reason === 'KS_BLOCKED';
  if (!isBlocked && activePlan(device.periods, at)) return redirectTo({ page: 'getkey' });
  if (cooldown) return redirectTo({ page: 'bypass', reason: cooldown.reason });

  const open = pickRun(device.runs, claimant);
  const isOthers = open && matchZone(open, claimant) === 'other';
  const isParallel = isOthers && request.run === 'new';
  if (open && !isOthers) return continueRun(keySystem, open, start);
  // Before a run of another zone, which a stranger may have begun.
  if (await hasKey(keySystem, device, start)) return redirectTo({ page: 'getkey' });
  if (open && !isParallel) return continueRun(keySystem, open, start);

  const beginning = { ...firstStepOf(start), ...(isParallel && { run: 'new' as const }) };
  if (step !== undefined && step !== 1) return redirectTo(beginning);

  // Only new runs are shed: a visitor who has not begun loses nothing by waiting.
  if (keySystem.isOverloaded()) return { kind: 'overloaded' };

  const id = randomId();
  const order = {
    id,
    appId,
    hwidHmac,
    ...zoneOf(keySystem, id, start),
    sealedSubject: subjectCipher.seal(id, visitor.hwid),
    os: os ?? DEFAULT_OS,
    passOs: os,
    by,
    visitorHmac,
    isParallel: request.run === 'new',
    stepsRequired: device.stepsRequired,
    at,
  };
  const departure = await prepareDeparture(keySystem, { ...order, step: 1 }, start);
  const opened = await openRun(keySystem, order, departure.attempt);
  switch (opened.kind) {
    case 'opened':
      return redirectToAdvertiser(keySystem, departure);
    case 'open':
      return continueRun(keySystem, opened.run, start);
    case 'blocked':
      return redirectTo({ page: 'bypass', reason: 'KS_BLOCKED' });
    case 'no_pass':
      return redirectTo({ ...beginning, notice: 'KS_CAPTCHA' });
    case 'limited':
      return redirectTo({ ...beginning, notice: 'KS_LIMIT', until: opened.until });
  }
}

/** Whether the client has a key already. A key of the same browser's run is moved to the zone of the request. */
async function hasKey(keySystem: KeySystem, device: Snapshot, start: LoadedStart): Promise<boolean> {
  const key = pickKey(device.keys, start.claimant);
  if (!key || key.expiresAt - start.at <= keySystem.limits.renewalMs) return false;
  if (key.zone === 'same') return true;
  if (key.zone === 'other' || key.runId === null) return false;

  return choosesOldZone(start) || (await moveRun(keySystem, key.runId, zoneOf(keySystem, key.runId, start), start));
}

/** The page where a run begins, with the chosen advertiser; the default one is left out. */
function firstStepOf({ appId, advertiser, offered }: LoadedStart) {
  const chosen = pickAdvertiser(appId, 1, advertiser, offered);
  return chosen === (offered?.[0] ?? DEFAULT_ADVERTISER) ? FIRST_STEP : { ...FIRST_STEP, advertiser: chosen };
}

/**
 * Continues an open run: leads the visitor to an advertiser, or to the page where they belong. Each start decides to
 * which zone the key will go; the end of the run decides nothing.
 */
async function continueRun(keySystem: KeySystem, run: OpenRun, start: LoadedStart): Promise<StartResult> {
  const { id, appId, step } = run;
  const { at, claimant, offered } = start;
  if (start.step !== undefined && start.step !== step) return redirectTo(resolveDestination(run, at));

  const zone = matchZone(run, claimant);
  if (zone === 'other' && start.run !== 'keep') {
    const advertiser = pickAdvertiser(appId, step, start.advertiser, offered);
    return redirectTo({ page: 'step', step, advertiser, notice: 'KS_OTHER_ZONE' });
  }
  if (zone === 'moves' && !choosesOldZone(start)) await moveRun(keySystem, id, zoneOf(keySystem, id, start), start);

  const departure = await prepareDeparture(keySystem, run, start);
  const { destination, attempt } = departure;
  const issued = attempt && (await issueAttempt(keySystem, run, attempt));
  if (issued?.kind === 'limited') return redirectTo({ ...destination, notice: 'KS_LIMIT', until: issued.until });
  if (issued?.kind === 'moved_on') {
    const current = (await createRunsRepository(keySystem.db).find(id)) ?? run;
    return redirectTo(resolveDestination(current, at, destination.advertiser));
  }
  return redirectToAdvertiser(keySystem, departure);
}

/**
 * Moves a run, or its finished key, to another zone.
 * @returns false where another browser began the run: only that one moves it
 */
export function moveRun(
  { db }: { db: Db },
  runId: string,
  zone: RunZone,
  { by, at }: Pick<LoadedStart, 'by' | 'at'>,
): Promise<boolean> {
  return transact(db, { runs: createRunsRepository }, async (tx) => {
    const moved = await tx.runs.setZone(runId, zone, by, at);
    if (moved) tx.record({ at, kind: 'run', code: 'moved', subject: moved.deviceId, detail: { run: runId } });
    return moved !== undefined;
  });
}

interface PreparedDeparture {
  destination: { page: 'step'; step: number; advertiser: AdvertiserId };
  /** The attempt to issue for it; undefined while the advertiser is down. */
  attempt: AttemptOrder | undefined;
  /** What only the visitor gets. */
  ticket: string;
  link: string | null;
}

/** Chooses the advertiser for a step, and makes the ticket of an attempt. It writes nothing. */
async function prepareDeparture(
  { advertisers, limits }: KeySystem,
  run: Omit<RunStep, 'offered'>,
  { visitor, advertiser, by, at, offered }: LoadedStart,
): Promise<PreparedDeparture> {
  const { advertiserId, link, ok, minDwellMs } = await advertisers.findStepRoute({ ...run, offered }, advertiser);
  const id = randomId();
  const ticket = createTicket();
  const attempt = {
    id,
    advertiserId,
    tokenHash: hashTicket(ticket),
    sealedContext: sealVisitor(ticket, id, visitor),
    issuedAt: at,
    by,
    notBefore: at + minDwellMs,
    expiresAt: at + limits.ticketMs,
  };
  const destination = { page: 'step', step: run.step, advertiser: advertiserId } as const;
  return { destination, attempt: ok ? attempt : undefined, ticket, link };
}

/** Leads to the advertiser's link, which returns with the ticket. The attempt has been issued. */
async function redirectToAdvertiser(
  { db, advertisers, baseUrl }: KeySystem,
  { destination, attempt, ticket, link }: PreparedDeparture,
): Promise<StartResult> {
  if (attempt) {
    const returnUrl = `${baseUrl()}/api/keysystem/return/${ticket}`;
    const url = await advertisers.createLink(attempt.advertiserId, { attemptId: attempt.id, returnUrl, link });
    if (url !== undefined) return { kind: 'advertiser', url };

    await createAttemptsRepository(db).withdraw(attempt.id);
  }
  return redirectTo({ ...destination, notice: 'KS_PROVIDER_DOWN' });
}
