import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { moveChannels, type Moved } from './move-channels.ts';
import { makeStable, NO_CANARY } from './promote-releases.ts';
import { refuse } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';

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
