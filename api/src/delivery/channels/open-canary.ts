import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { moveChannels, type Moved } from './move-channels.ts';
import { refuse, refuseHalted } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';

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
