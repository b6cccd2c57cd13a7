import type { Unit } from '@app/contracts/release';
import type { ChannelRow } from '#api/db/schema.ts';
import type { Act } from '#api/features/audit/audit-entry.ts';
import type { AuditDetail } from '#api/features/audit/audit-hash.ts';
import { undo } from '#api/features/audit/transact.ts';
import type { UnitChannels } from './channels.repository.ts';
import { findNewMisfits, readServed } from './find-misfits.ts';
import { refuse, type Refused } from './refused.ts';
import type { Releases } from './releases.ts';
import type { Repositories } from './transact.ts';
import { transactMove, type Work } from './transact-move.ts';

export type Moved = { outcome: 'moved' } | { outcome: 'unchanged' } | Refused;

/** What a move changes of a unit's channels, and the event of the audit that says so. */
interface Step {
  changes: Partial<Omit<ChannelRow, 'unit'>>;
  code: string;
  detail: AuditDetail;
}

export type Decide = (tx: Repositories, found: UnitChannels) => Promise<Step | Exclude<Moved, { outcome: 'moved' }>>;

/**
 * Moves the channels of some units, all or none. Moves wait for each other, a locked unit is not moved, and afterwards
 * everything that visitors can get has to fit together, at least as well as before.
 * @param decide what to change, given how the channels of a unit stand; called for each of the units
 * @param passesLock for moves that a lock does not hold
 * @param isUrgent for moves that many others must not keep out
 */
export function moveChannels(
  { db }: Pick<Releases, 'db'>,
  units: readonly Unit[],
  { by, at }: Act,
  decide: Decide,
  { passesLock = false, isUrgent = false } = {},
): Promise<Moved> {
  const work: Work<Moved> = async (tx) => {
    const before = await readServed(tx);
    let isMoved = false;
    for (const unit of units) {
      const found = await tx.channels.find(unit);
      if (!found) return undo<Moved>(refuse('unknown', `No unit has the name ${unit}`));
      if (!passesLock && found.channel.lockReason !== null) return undo<Moved>(describeLock(found));

      const step = await decide(tx, found);
      if (!('outcome' in step)) {
        await tx.channels.save(unit, step.changes);
        tx.record({ at, kind: 'channel', code: step.code, subject: null, detail: { unit, ...step.detail, by } });
        isMoved = true;
      } else if (step.outcome === 'refused') return undo<Moved>(step);
    }
    if (!isMoved) return undo<Moved>({ outcome: 'unchanged' });

    const misfits = findNewMisfits(before, await readServed(tx));
    return misfits.length > 0 ? undo<Moved>(refuse('misfit', ...misfits)) : { outcome: 'moved' };
  };
  return transactMove(db, work, { isUrgent });
}

function describeLock({ unit, channel: { lockReason, lockedBy, lockedAt } }: UnitChannels): Refused {
  const since = lockedAt === null ? '' : ` since ${new Date(lockedAt).toISOString().replace(/\.\d+Z$/, 'Z')}`;
  return refuse('locked', `${unit} is locked by ${lockedBy ?? 'somebody'}${since}: ${lockReason ?? ''}`);
}
