import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { moveChannels, type Moved } from './move-channels.ts';
import { NO_CANARY } from './promote-releases.ts';
import { refuse } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';

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
