import type { AdvertiserId } from '@app/contracts/advertisers';
import { type AppId, isSpecified, SANDBOX, STEPS_PER_SERIES } from '@app/contracts/key-system';
import type { RunState, UsualRun } from '@app/contracts/key-system-schemas';
import type { KeyFinding } from '@app/contracts/app-calls';
import type { OfferedAdvertiser } from '#api/product/advertisers/advertisers.service.ts';
import type { ClientIdentity } from '#api/foundation/visitors/client-identity.ts';
import type { DeviceClaim } from '#api/product/devices/device.ts';
import { activePlan, endedPlan } from '#api/product/licences/licence-periods.ts';
import { cooldownOf, isTraceOf, filterTraces, sumWeights } from '#api/product/key-system/eligibility.ts';
import { matchZone, pickKey, pickRun, type ZoneClaimant } from '#api/product/key-system/zones.ts';
import type { KeySystem } from '#api/product/key-system/key-system.ts';
import type { Db } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';
import { selectAppFacts, createAppsRepository } from '#api/product/apps/apps.repository.ts';
import { createSnapshotsRepository, type OpenRun, type Snapshot } from './snapshots.repository.ts';

/** Reads the state of a device for its pages, which ask every few seconds. One statement, no writes. */
export async function readState(
  { db, advertisers, pseudonyms, limits, now }: KeySystem,
  appId: AppId,
  { hwid, zone }: DeviceClaim,
  by: ClientIdentity,
): Promise<RunState> {
  const at = now();
  const claimant = { zoneHmac: pseudonyms.zone(zone), by };
  const device = await createSnapshotsRepository(db).read(appId, pseudonyms.hwid(hwid), at, limits.strikes);
  const terms = device.advertisers.map(advertisers.present);
  const run = pickRun(device.runs, claimant);

  const about = selectAppFacts({ ...device, advertisers: device.offered });

  return {
    app: appId,
    about,
    run: run ? presentRun(run, device, terms, claimant, at) : null,
    key: presentKey(device, claimant, limits.renewalMs, at),
    plan: activePlan(device.periods, at),
    endedPlan: endedPlan(device.periods, at),
    cooldown: cooldownOf(device, device.strikes, by, limits.strikes, at),
    strikes: presentStrikes(filterTraces(device.strikes, by)),
    advertisers: presentAdvertisers(terms, about?.advertisers),
    stepsRequired: device.stepsRequired,
    usualRunMs: device.usualRunMs ?? undefined,
    now: at,
  };
}

/** Whether a page waits: for the confirmation of a step, or until the app has fetched its key. */
export function isAwaiting({ run, key, cooldown }: RunState): boolean {
  return !cooldown && (run ? run.waiting : key?.active === true && !key.isFetched);
}

/** The sandbox has no row before its first run. */
function presentAdvertisers(
  terms: readonly OfferedAdvertiser[],
  registered?: readonly AdvertiserId[],
): RunState['advertisers'] {
  const ids = registered ?? terms.flatMap(({ id }) => (id === SANDBOX ? [] : id));
  return ids.map((id) => {
    const { ok = true, usualMs, finishedPercent } = terms.find((known) => known.id === id) ?? {};
    return { id, ok, usualMs: usualMs ?? undefined, finishedPercent: finishedPercent ?? undefined };
  });
}

function presentStrikes(strikes: Snapshot['strikes']): RunState['strikes'] {
  const codes = [...new Set(strikes.map(({ code }) => code))];
  return codes.length > 0 ? { count: sumWeights(strikes), codes } : undefined;
}

/** @throws AppError `KS_APP` when there is no such app */
export async function readUsualRun(db: Db, appId: AppId): Promise<UsualRun> {
  const app = await createAppsRepository(db).find(appId);
  if (!app) throw new AppError('KS_APP');

  const usual = { usualRunMs: app.usualRunMs ?? undefined };
  const about = selectAppFacts(app);
  return about ? { ...usual, about, stepsRequired: app.stepsPerSeries * app.seriesRequired } : usual;
}

function presentRun(
  run: OpenRun,
  { attempts }: Snapshot,
  terms: readonly OfferedAdvertiser[],
  claimant: ZoneClaimant,
  at: number,
): NonNullable<RunState['run']> {
  const own = attempts.filter(({ runId }) => runId === run.id);

  return {
    step: run.step,
    of: run.stepsRequired,
    series: isSpecified(run.appId) && run.step > STEPS_PER_SERIES ? 2 : 1,
    completed: own
      .filter(({ state }) => state === 'verified')
      .map(({ step, advertiserId, verifiedAt }) => ({
        step,
        advertiser: advertiserId,
        at: verifiedAt ?? at,
        proof: terms.find(({ id }) => id === advertiserId)?.proof ?? '',
      })),
    waiting: own.some(({ state, step }) => state === 'awaiting_postback' && step === run.step),
    zone: matchZone(run, claimant),
    own: isTraceOf(run, claimant.by),
    expiresAt: run.expiresAt,
  };
}

/** Presents the valid key that matters to the client, or else when the last key ended. */
function presentKey(
  { keys, lastKeyExpiresAt }: Snapshot,
  claimant: ZoneClaimant,
  renewalMs: number,
  at: number,
): RunState['key'] {
  const key = pickKey(keys, claimant);
  if (key)
    return {
      active: true,
      expiresAt: key.expiresAt,
      renewable: key.expiresAt - at <= renewalMs,
      renewableAt: key.expiresAt - renewalMs,
      isFetched: key.fetchedAt !== null,
      zone: key.zone,
    };

  return lastKeyExpiresAt === null
    ? null
    : { active: false, expiresAt: lastKeyExpiresAt, renewable: true, zone: 'same' };
}

/**
 * Finds, in one statement, whether a plan or a run of the device gives a key, and what its app is told `without` one: why
 * the device has to wait, or how far its open run is.
 */
export async function findProgress(
  { db, pseudonyms, limits, now }: KeySystem,
  appId: AppId,
  { hwid, zone }: DeviceClaim,
  by: ClientIdentity,
): Promise<{ hasPlan: boolean; hasKey: boolean; without: Exclude<KeyFinding, { status: 'active' }> }> {
  const at = now();
  const device = await createSnapshotsRepository(db).read(appId, pseudonyms.hwid(hwid), at, limits.strikes);
  const found = { hasPlan: activePlan(device.periods, at) !== null, hasKey: device.keys.length > 0 };
  const cooldown = cooldownOf(device, device.strikes, by, limits.strikes, at);
  if (cooldown) return { ...found, without: { status: 'blocked', ...cooldown } };

  const run = pickRun(device.runs, { zoneHmac: pseudonyms.zone(zone), by });
  return {
    ...found,
    without: run ? { status: 'in_progress', step: run.step, of: run.stepsRequired } : { status: 'none' },
  };
}
