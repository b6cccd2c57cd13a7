import type { ChannelMove } from '@app/contracts/channel-move';
import type { MovedAnswer } from '@app/contracts/registry';
import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { findChannels } from '#api/delivery/registry/list-registry.ts';
import { refuse, type Refused, refuseHalted } from '#api/delivery/registry/refused.ts';
import type { Registry } from '#api/delivery/registry/registry.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import type { ChannelRow } from '#api/foundation/db/schema.ts';
import type { Repositories } from '#api/delivery/registry/transact.ts';
import { moveChannels, type Moved } from './change-channels.ts';

/**
 * Makes a move that somebody has asked for. With the next request all visitors get what it has changed.
 * @returns how the channels stand then, or why it was refused
 */
export async function moveChannel(
  { db, registry, prerendering }: Pick<Releases, 'db' | 'prerendering'> & { registry: Pick<Registry, 'refresh'> },
  unit: Unit,
  move: ChannelMove,
  act: Act,
): Promise<MovedAnswer | Refused> {
  const moved = await doMove({ db, prerendering }, unit, move, act);
  if (moved.outcome === 'refused') return moved;

  await registry.refresh();
  const channels = await findChannels(db, unit);
  if (!channels) throw new Error(`The unit ${unit} is gone`);
  return { outcome: moved.outcome, channels };
}

function doMove(deps: Pick<Releases, 'db' | 'prerendering'>, unit: Unit, move: ChannelMove, act: Act): Promise<Moved> {
  switch (move.action) {
    case 'promote':
      return promoteReleases(deps, [{ unit, version: move.version, again: move.again ?? false }], act);
    case 'canary':
      return openCanary(deps, unit, move, act);
    case 'rollback':
      return rollBack({ db: deps.db }, unit, move.version, act);
    case 'halt':
      return haltCanary({ db: deps.db }, unit, { reason: move.reason }, act);
    case 'lock':
      return lockChannels(deps, unit, move.reason, act);
    case 'unlock':
      return unlockChannels(deps, unit, act);
  }
}

/** What says that a unit has no canary. */
export const NO_CANARY = { canary: null, canaryShare: null, canarySince: null } satisfies Partial<ChannelRow>;

/**
 * Makes releases the stable ones of their units, all or none. Everybody gets them with the next page.
 * @param wanted a unit and its version; without a version, its canary. `again` false: no version that was halted
 */
export function promoteReleases(
  deps: Pick<Releases, 'db' | 'prerendering'>,
  wanted: readonly { unit: Unit; version?: string | undefined; again?: boolean | undefined }[],
  act: Act,
): Promise<Moved> {
  const versions = new Map(wanted.map(({ unit, ...asked }) => [unit, asked]));
  const { by, at } = act;

  return moveChannels(deps, [...versions.keys()], act, async (tx, { unit, channel }) => {
    const { stable, canary, halted, haltReason } = channel;
    const { version = canary, again } = versions.get(unit) ?? {};
    if (version === null) return refuse('impossible', `${unit} has no canary to promote; name a version`);
    if (!(await tx.releases.find(unit, version))) return refuse('unknown', `${unit}@${version} was never published`);
    if (stable === version) return { outcome: 'unchanged' };
    if (halted === version && again === false) return refuseHalted(unit, version, haltReason);

    await makeStable(tx, { unit, stable, version, at });
    return {
      changes: {
        stable: version,
        ...(canary === version && NO_CANARY),
        ...(halted === version && { halted: null, haltReason: null, haltedAt: null }),
        movedBy: by,
        movedAt: at,
      },
      code: 'promoted',
      detail: { version, from: stable },
    };
  });
}

/** Notes which release was the stable one until now, and that the one that follows is good. */
export async function makeStable(
  { releases }: Pick<Repositories, 'releases'>,
  { unit, stable, version, at }: { unit: Unit; stable: string | null; version: string; at: number },
): Promise<void> {
  if (stable !== null) await releases.markStable(unit, stable, at);
  await releases.markStable(unit, version, at);
  await releases.markWithdrawn(unit, version, null);
}

/**
 * Gives a release of a unit to a share of the visitors, or changes the share.
 * @param version by default the open canary, else the newest release
 * @param percent the share, from 0.01 to 100
 * @param again also the version that was halted, when it is named
 */
export function openCanary(
  deps: Pick<Releases, 'db' | 'prerendering'>,
  unit: Unit,
  { version, percent, again }: { version?: string | undefined; percent: number; again?: boolean | undefined },
  act: Act,
): Promise<Moved> {
  const { by, at } = act;

  return moveChannels(deps, [unit], act, async (tx, { channel }) => {
    const { stable, canary, canaryShare, canarySince, halted, haltReason } = channel;
    const wanted = version ?? canary ?? (await tx.releases.list(unit))[0]?.version;
    if (wanted === undefined) return refuse('unknown', `${unit} has no release`);
    if (!(await tx.releases.find(unit, wanted))) return refuse('unknown', `${unit}@${wanted} was never published`);
    if (stable === null)
      return refuse(
        'impossible',
        `${unit} has no stable release beside which a canary could be; promote a version first`,
      );
    if (stable === wanted) return refuse('impossible', `${unit}@${wanted} is the stable release: everybody has it`);

    if (halted === wanted && !(again && version === wanted)) return refuseHalted(unit, wanted, haltReason);

    const share = Math.round(percent * 100);
    if (canary === wanted && canaryShare === share) return { outcome: 'unchanged' };
    return {
      changes: {
        canary: wanted,
        canaryShare: share,
        canarySince: canary === wanted ? canarySince : at,
        ...(halted === wanted && { halted: null, haltReason: null, haltedAt: null }),
        movedBy: by,
        movedAt: at,
      },
      code: 'canary opened',
      detail: { version: wanted, percent: share / 100, from: canary },
    };
  });
}

/**
 * Makes an earlier release of a unit the stable one, and ends a canary. The release that is left counts as withdrawn: no
 * page falls back to it.
 * @param version by default the last one that was good
 */
export function rollBack(
  deps: Pick<Releases, 'db'>,
  unit: Unit,
  version: string | undefined,
  act: Act,
): Promise<Moved> {
  const { by, at } = act;

  return moveChannels(deps, [unit], act, async (tx, { channel: { stable, canary } }) => {
    const wanted = version ?? (await tx.releases.listLastGood()).get(unit);
    if (wanted === undefined)
      return refuse('impossible', `${unit} has no earlier version that was good; name a version`);
    if (!(await tx.releases.find(unit, wanted))) return refuse('unknown', `${unit}@${wanted} was never published`);
    if (stable === wanted && canary === null) return { outcome: 'unchanged' };

    if (stable !== wanted) {
      await makeStable(tx, { unit, stable, version: wanted, at });
      if (stable !== null) await tx.releases.markWithdrawn(unit, stable, at);
    }
    return {
      changes: { stable: wanted, ...NO_CANARY, movedBy: by, movedAt: at },
      code: 'rolled back',
      detail: { version: wanted, from: stable, canary },
    };
  });
}

interface Halt {
  reason: string;
  /** The canary that is meant. Another one, which has taken its place meanwhile, goes on. */
  version?: string | undefined;
  /** The site itself halts. A lock does not hold that, because it only protects. */
  isAutomatic?: boolean;
}

/** Ends the canary of a unit: everybody gets the stable release again, and no page falls back to the canary. */
export function haltCanary(
  deps: Pick<Releases, 'db'>,
  unit: Unit,
  { reason, version, isAutomatic = false }: Halt,
  act: Act,
): Promise<Moved> {
  const { by, at } = act;

  return moveChannels(
    deps,
    [unit],
    act,
    async (tx, { channel: { canary } }) => {
      if (canary === null) return refuse('impossible', `${unit} has no canary`);
      if (version !== undefined && canary !== version)
        return refuse('impossible', `${unit}@${version} is not the canary; that is ${canary}`);

      await tx.releases.markWithdrawn(unit, canary, at);
      return {
        changes: { ...NO_CANARY, halted: canary, haltReason: reason, haltedAt: at, movedBy: by, movedAt: at },
        code: 'halted',
        detail: { version: canary, reason },
      };
    },
    { passesLock: isAutomatic, isUrgent: isAutomatic },
  );
}

/** Refuses all moves of a unit, by anybody, until `unlockChannels`. A second lock is refused as well. */
export function lockChannels(deps: Pick<Releases, 'db'>, unit: Unit, reason: string, act: Act): Promise<Moved> {
  return moveChannels(deps, [unit], act, () =>
    Promise.resolve({
      changes: { lockReason: reason, lockedBy: act.by, lockedAt: act.at },
      code: 'locked',
      detail: { reason },
    }),
  );
}

/** Allows the moves of a unit again. */
export function unlockChannels(deps: Pick<Releases, 'db'>, unit: Unit, act: Act): Promise<Moved> {
  return moveChannels(
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
