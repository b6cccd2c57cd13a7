import type { Unit } from '@app/contracts/release';
import type { Act } from '#api/foundation/audit/audit-entry.ts';
import { moveChannels, type Moved } from './move-channels.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';

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
