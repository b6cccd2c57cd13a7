import type { Unit } from '@app/contracts/release';
import type { ChannelRow } from '#api/foundation/db/schema.ts';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { moveChannels, type Moved } from './move-channels.ts';
import { refuse, refuseHalted } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import type { Repositories } from '#api/delivery/registry/transact.ts';

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
