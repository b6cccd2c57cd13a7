import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer } from '@app/contracts/registry';
import { isPreview, releaseSchema } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import { findChannels } from '#api/delivery/registry/list-registry.ts';
import { findIncompatibility } from '#api/delivery/registry/compatibility.ts';
import { refuse, type Refusal } from '#api/delivery/registry/refused.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { createReleasesRepository } from '#api/delivery/registry/registry.repository.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import type { ChannelRow } from '#api/foundation/db/schema.ts';
import { parseJson } from '#api/foundation/settings/read-json.ts';
import {
  changeChannels,
  type ChangeOutcome,
  type ChangeTransaction,
  type ChannelDeps,
  refuseLocked,
} from './change-channels.ts';

const CANARY_CLEARED = { canary: null, canaryShare: null, canarySince: null } satisfies Partial<ChannelRow>;
const HALT_CLEARED = { halted: null, haltReason: null, haltedAt: null } satisfies Partial<ChannelRow>;

/** Makes a change that a team or an operator has requested. All visitors get it with their next request. */
export async function changeChannel(
  { db, registry, prerendering }: ChannelDeps & { registry: Pick<Registry, 'refresh'> },
  unit: Unit,
  change: ChannelMove,
  act: Act,
): Promise<MovedAnswer | Refusal> {
  if ('version' in change && change.version !== undefined && isPreview(change.version))
    return refuse('impossible', `${change.version} is a preview: publish the unit without --preview, and serve that`);

  const changed = await makeChange({ db, prerendering }, unit, change, act);
  if (changed.outcome === 'refused') return changed;

  await registry.refresh();
  const find = async (name: Unit) => {
    const channels = await findChannels(db, name);
    if (!channels) throw new Error(`The unit ${name} is gone`);
    return channels;
  };
  const others = changed.outcome === 'moved' ? (changed.others ?? []) : [];
  return { outcome: changed.outcome, channels: await find(unit), others: await Promise.all(others.map(find)) };
}

function makeChange(deps: ChannelDeps, unit: Unit, change: ChannelMove, act: Act): Promise<ChangeOutcome> {
  switch (change.action) {
    case 'promote':
      return promoteReleases(deps, [{ unit, version: change.version, again: change.again ?? false }], act);
    case 'canary':
      return openCanary(deps, unit, change, act);
    case 'rollback':
      return rollBackUnit(deps, unit, change.version, act);
    case 'halt':
      return haltCanary(deps, unit, { reason: change.reason }, act);
    case 'lock':
      return lockChannels(deps, unit, change.reason, act);
    case 'unlock':
      return unlockChannels(deps, unit, act);
  }
}

/** @param wanted without a version, its canary; with `again` false, no version that was halted */
export function promoteReleases(
  deps: ChannelDeps,
  wanted: readonly { unit: Unit; version?: string | undefined; again?: boolean | undefined }[],
  act: Act,
): Promise<ChangeOutcome> {
  const versions = new Map(wanted.map(({ unit, ...asked }) => [unit, asked]));
  const { by, at } = act;

  return changeChannels(deps, [...versions.keys()], act, async (tx, { unit, channel }) => {
    const { stable, canary, halted, haltReason } = channel;
    const { version = canary, again } = versions.get(unit) ?? {};
    if (version === null) return refuse('impossible', `${unit} has no canary to promote; name a version`);
    if (!(await tx.releases.find(unit, version))) return refuseUnpublished(unit, version);
    if (stable === version) return { outcome: 'unchanged' };
    if (halted === version && again === false) return refuseHalted(unit, version, haltReason);

    await markStable(tx, { unit, stable, version, at });
    return {
      changes: {
        stable: version,
        ...(canary === version && CANARY_CLEARED),
        ...(halted === version && HALT_CLEARED),
        movedBy: by,
        movedAt: at,
      },
      code: 'promoted',
      detail: { version, from: stable },
    };
  });
}

/** @param version by default the open canary, else the newest release */
export function openCanary(
  deps: ChannelDeps,
  unit: Unit,
  { version, percent, again }: { version?: string | undefined; percent: number; again?: boolean | undefined },
  act: Act,
): Promise<ChangeOutcome> {
  const { by, at } = act;

  return changeChannels(deps, [unit], act, async (tx, { channel }) => {
    const { stable, canary, canaryShare, canarySince, halted, haltReason } = channel;
    const newest = async () => (await tx.releases.list(unit)).find((row) => !isPreview(row.version))?.version;
    const wanted = version ?? canary ?? (await newest());
    if (wanted === undefined) return refuse('unknown', `${unit} has no release`);
    if (!(await tx.releases.find(unit, wanted))) return refuseUnpublished(unit, wanted);
    if (stable === null)
      return refuse(
        'impossible',
        `${unit} has no stable release beside which a canary could be; promote a version first`,
      );
    if (stable === wanted) return refuse('impossible', `${unit}@${wanted} is the stable release: all visitors have it`);
    if (halted === wanted && !(again && version === wanted)) return refuseHalted(unit, wanted, haltReason);

    const share = Math.round(percent * 100);
    if (canary === wanted && canaryShare === share) return { outcome: 'unchanged' };
    return {
      changes: {
        canary: wanted,
        canaryShare: share,
        canarySince: canary === wanted ? canarySince : at,
        ...(halted === wanted && HALT_CLEARED),
        movedBy: by,
        movedAt: at,
      },
      code: 'canary opened',
      detail: { version: wanted, percent: share / 100, from: canary },
    };
  });
}

/**
 * Makes an earlier release of a unit the stable one, and ends a canary. The release that was stable counts as
 * withdrawn: no page falls back to it. Its pages are not rendered first: no page that throws may prevent a rollback.
 * Units that need more than an earlier shell gives go back with it.
 * @param version by default the last good one
 */
export function rollBackUnit(
  { db }: Pick<ChannelDeps, 'db'>,
  unit: Unit,
  version: string | undefined,
  act: Act,
): Promise<ChangeOutcome> {
  return changeChannels({ db }, [unit], act, async (tx, { channel: { stable, canary } }) => {
    const wanted = version ?? (await tx.releases.listLastGood()).get(unit);
    if (wanted === undefined)
      return refuse('impossible', `${unit} has no earlier version that was good; name a version`);
    if (!(await tx.releases.find(unit, wanted))) return refuseUnpublished(unit, wanted);
    if (stable === wanted && canary === null) return { outcome: 'unchanged' };

    const others = unit === SHELL ? await rollBackWithShell(tx, wanted, act) : [];
    if ('outcome' in others) return others;
    return { ...(await restoreVersion(tx, { unit, stable, canary }, wanted, act)), others };
  });
}

async function restoreVersion(
  tx: ChangeTransaction,
  { unit, stable, canary }: Pick<ChannelRow, 'unit' | 'stable' | 'canary'>,
  version: string,
  { by, at }: Act,
) {
  if (stable !== version) {
    await markStable(tx, { unit, stable, version, at });
    if (stable !== null) await tx.releases.markYanked(unit, stable, at);
  }
  return {
    changes: { stable: version, ...CANARY_CLEARED, movedBy: by, movedAt: at },
    code: 'rolled back',
    detail: { version, from: stable, canary },
  };
}

/** Takes units that do not fit an earlier shell back to their last good version that fits; or says which cannot. */
async function rollBackWithShell(tx: ChangeTransaction, version: string, act: Act): Promise<Unit[] | Refusal> {
  const read = async (unit: Unit, name: string) => {
    const row = await tx.releases.find(unit, name);
    return row && parseJson(releaseSchema, row.manifest);
  };
  const shell = await read(SHELL, version);
  const problemOf = async (unit: Unit, name: string | null) => {
    const release = name === null ? undefined : await read(unit, name);
    return shell && release && findIncompatibility(shell, release);
  };

  const gone: Unit[] = [];
  for (const found of await tx.channels.list()) {
    const { unit, channel } = found;
    if (unit === SHELL) continue;
    const problem = await problemOf(unit, channel.stable);
    if (problem === undefined && (await problemOf(unit, channel.canary)) === undefined) continue;
    if (channel.lockReason !== null) return refuseLocked(found);

    let wanted = problem === undefined ? channel.stable : null;
    if (wanted === null)
      for (const good of await tx.releases.listGood(unit))
        if (good !== channel.canary && (await problemOf(unit, good)) === undefined) {
          wanted = good;
          break;
        }
    if (wanted === null)
      return refuse(
        'misfit',
        `${String(problem)}, and no version of ${unit} that was good fits. Publish one that does and promote it, or name another version of the shell`,
      );

    const { changes, code, detail } = await restoreVersion(tx, channel, wanted, act);
    await tx.channels.save(unit, changes);
    const why = { unit, ...detail, with: `${SHELL}@${version}`, by: act.by };
    tx.record({ at: act.at, kind: 'channel', code, subject: null, detail: why });
    gone.push(unit);
  }
  return gone;
}

interface HaltReport {
  reason: string;
  /** The canary that is meant. Another one, which has taken its place meanwhile, goes on. */
  version?: string | undefined;
  /** In how many networks it failed, of how many that got it. */
  networks?: { failed: number; served: number };
  /** Whether the site itself halts it. A lock does not prevent that, because halting only protects visitors. */
  isAutomatic?: boolean;
}

/** Ends the canary of a unit: all visitors get the stable release again, and no page falls back to the canary. */
export function haltCanary(
  { db }: Pick<ChannelDeps, 'db'>,
  unit: Unit,
  { reason, version, networks, isAutomatic = false }: HaltReport,
  act: Act,
): Promise<ChangeOutcome> {
  const { by, at } = act;

  return changeChannels(
    { db },
    [unit],
    act,
    async (tx, { channel: { canary } }) => {
      if (canary === null) return refuse('impossible', `${unit} has no canary`);
      if (version !== undefined && canary !== version)
        return refuse('impossible', `${unit}@${version} is not the canary; that is ${canary}`);

      await tx.releases.markYanked(unit, canary, at);
      return {
        changes: { ...CANARY_CLEARED, halted: canary, haltReason: reason, haltedAt: at, movedBy: by, movedAt: at },
        code: 'halted',
        detail: { version: canary, reason, ...networks },
      };
    },
    { passesLock: isAutomatic, isUrgent: isAutomatic },
  );
}

/** Refuses all changes of a unit's channels until `unlockChannels`, also by the owner of the lock. */
export function lockChannels(deps: ChannelDeps, unit: Unit, reason: string, act: Act): Promise<ChangeOutcome> {
  return changeChannels(deps, [unit], act, () =>
    Promise.resolve({
      changes: { lockReason: reason, lockedBy: act.by, lockedAt: act.at },
      code: 'locked',
      detail: { reason },
    }),
  );
}

function unlockChannels(deps: ChannelDeps, unit: Unit, act: Act): Promise<ChangeOutcome> {
  return changeChannels(
    deps,
    [unit],
    act,
    (_tx, { channel: { lockReason } }) =>
      Promise.resolve(
        lockReason === null
          ? { outcome: 'unchanged' as const }
          : {
              changes: { lockReason: null, lockedBy: null, lockedAt: null },
              code: 'unlocked',
              detail: { reason: lockReason },
            },
      ),
    { passesLock: true },
  );
}

/** Notes until when a release was the stable one, and that the one that follows is good. */
export async function markStable(
  { releases }: { releases: ReturnType<typeof createReleasesRepository> },
  { unit, stable, version, at }: { unit: Unit; stable: string | null; version: string; at: number },
): Promise<void> {
  if (stable !== null) await releases.markStable(unit, stable, at);
  await releases.markStable(unit, version, at);
  await releases.markYanked(unit, version, null);
}

function refuseUnpublished(unit: Unit, version: string): Refusal {
  return refuse('unknown', `${unit}@${version} was never published`);
}

function refuseHalted(unit: Unit, version: string, reason: string | null): Refusal {
  const why = reason === null ? '' : `: ${reason}`;
  return refuse(
    'impossible',
    `${unit}@${version} was halted${why}. Name it with --again if it is to be served all the same`,
  );
}
