import type { Unit } from '@app/contracts/release';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import type { Act, AuditDetail } from '#api/foundation/audit/audit-entry.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import type { UnitChannels } from '#api/delivery/registry/channels.repository.ts';
import { findNewMisfits, readServed, type Served } from '#api/delivery/registry/find-misfits.ts';
import { refuse, type Refused } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { findThrowingPages, listNewPairs } from './find-throwing-pages.ts';
import { nameOfPair, type Pair } from '#api/delivery/rendering/pairs.ts';
import type { Repositories } from '#api/delivery/registry/transact.ts';
import { transactMove, type Work } from '#api/delivery/registry/transact-move.ts';

export type Moved = { outcome: 'moved' } | { outcome: 'unchanged' } | Refused;

/** What a move changes of a unit's channels, and the event of the audit that says so. */
interface Step {
  changes: Partial<Omit<ChannelRow, 'unit'>>;
  code: string;
  detail: AuditDetail;
}

export type Decide = (tx: Repositories, found: UnitChannels) => Promise<Step | Exclude<Moved, { outcome: 'moved' }>>;

/** A move that would bring together what was not rendered yet. It was undone. */
interface Untried {
  outcome: 'untried';
  before: Served;
  after: Served;
}

interface Options {
  /** For moves that a lock does not hold. */
  passesLock?: boolean;
  /** For moves that many others must not keep out. */
  isUrgent?: boolean;
}

/**
 * Moves the channels of some units, all or none. Moves wait for each other, a locked unit is not moved, and afterwards
 * everything that visitors can get has to fit together, at least as well as before.
 *
 * With `prerendering`, no page may throw in what the move brings together. Nobody else's move waits while pages are
 * rendered: the move is undone, and made again when they are.
 * @param decide what to change, given how the channels of a unit stand; called for each of the units, also more than once
 */
export async function moveChannels(
  { db, prerendering }: Pick<Releases, 'db' | 'prerendering'>,
  units: readonly Unit[],
  act: Act,
  decide: Decide,
  options: Options = {},
): Promise<Moved> {
  const tried = new Set<string>();
  const isUntried = (pair: Pair) => prerendering !== undefined && !tried.has(nameOfPair(pair));
  for (;;) {
    const moved = await tryMove(db, units, act, decide, options, isUntried);
    if (moved.outcome !== 'untried') return moved;

    const { before, after } = moved;
    const thrown = prerendering && (await findThrowingPages(prerendering, before, after));
    if (thrown && thrown.problems.length > 0) return refuse('misfit', ...thrown.problems);
    for (const pair of listNewPairs(before, after)) tried.add(nameOfPair(pair));
  }
}

/** @param isUntried whether a remote has to be rendered in a shell before the move can be made */
function tryMove(
  db: Db,
  units: readonly Unit[],
  { by, at }: Act,
  decide: Decide,
  { passesLock = false, isUrgent = false }: Options,
  isUntried: (pair: Pair) => boolean,
): Promise<Moved | Untried> {
  const work: Work<Moved | Untried> = async (tx) => {
    const before = await readServed(tx);
    let isMoved = false;
    for (const unit of units) {
      const found = await tx.channels.find(unit);
      if (!found) return rollBack<Moved | Untried>(refuse('unknown', `No unit has the name ${unit}`));
      if (!passesLock && found.channel.lockReason !== null) return rollBack<Moved | Untried>(describeLock(found));

      const step = await decide(tx, found);
      if (!('outcome' in step)) {
        await tx.channels.save(unit, step.changes);
        tx.record({ at, kind: 'channel', code: step.code, subject: null, detail: { unit, ...step.detail, by } });
        isMoved = true;
      } else if (step.outcome === 'refused') return rollBack<Moved | Untried>(step);
    }
    if (!isMoved) return rollBack<Moved | Untried>({ outcome: 'unchanged' });

    const after = await readServed(tx);
    const misfits = findNewMisfits(before, after);
    if (misfits.length > 0) return rollBack<Moved | Untried>(refuse('misfit', ...misfits));
    if (listNewPairs(before, after).some(isUntried))
      return rollBack<Moved | Untried>({ outcome: 'untried', before, after });
    return { outcome: 'moved' };
  };
  return transactMove(db, work, { isUrgent });
}

/** Says who holds all moves of a unit, and why. */
export function describeLock({ unit, channel: { lockReason, lockedBy, lockedAt } }: UnitChannels): Refused {
  const since = lockedAt === null ? '' : ` since ${new Date(lockedAt).toISOString().replace(/\.\d+Z$/, 'Z')}`;
  return refuse('locked', `${unit} is locked by ${lockedBy ?? 'somebody'}${since}: ${lockReason ?? ''}`);
}
