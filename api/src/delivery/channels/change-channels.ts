import type { Release, Unit } from '@app/contracts/release';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import type { Act, AuditDetail } from '#api/foundation/audit/audit-entry.ts';
import { rollBack } from '#api/foundation/audit/transact.ts';
import type { UnitChannels } from '#api/delivery/registry/channels.repository.ts';
import { findNewMisfits, readServed, type Served } from '#api/delivery/registry/find-incompatibilities.ts';
import { refuse, type Refused } from '#api/delivery/registry/refused.ts';
import type { Releases } from '#api/delivery/rendering/releases.ts';
import { listPairs, nameOfPair, nameOfRelease, type Pair } from '#api/delivery/rendering/pairs.ts';
import { type Repositories, transact } from '#api/delivery/registry/transact.ts';
import { describeThrown, type Prerendering, type Thrown } from '#api/delivery/rendering/prerendering.ts';
import { AppError } from '#api/foundation/http/app-error.ts';

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

/** More pages than these help nobody. */
const MOST_TOLD = 10;

type Try = Pick<Prerendering, 'tryPairs'>;

/** The remotes in shells that a change of what is served brings together. */
export function listNewPairs(before: Served, after: Served): Pair[] {
  const known = new Set(listPairs(before).map(nameOfPair));
  return listPairs(after).filter((pair) => !known.has(nameOfPair(pair)));
}

/**
 * Finds the pages that throw in what a change of what is served brings together. A page that throws already for the
 * visitors of today does not count: nobody else could repair anything before its team does.
 * @param folders where the releases lie that the store does not have yet
 * @returns a sentence with the stack for each; and why pages could not be rendered though none throws
 */
export async function findThrowingPages(
  { tryPairs }: Try,
  before: Served,
  after: Served,
  folders?: ReadonlyMap<Release, string>,
): Promise<{ problems: string[]; failures: string[] }> {
  const { thrown, failures } = await tryPairs(listNewPairs(before, after), folders);
  if (thrown.length === 0) return { problems: [], failures };

  const known = new Set((await tryPairs(listPairs(before))).thrown.map(nameOfThrown));
  const fresh = thrown.filter((page) => !known.has(nameOfThrown(page)));
  return { problems: fresh.slice(0, MOST_TOLD).map(describeThrown), failures };
}

function nameOfThrown({ remote, path = '' }: Thrown): string {
  return `${nameOfRelease(remote)} ${path}`;
}

/** How many moves wait in this process for the one that is under way. */
const MOST_WAITING = 2;

/** What a move does in its transaction. */
export type Work<Result> = Parameters<typeof transact<Result>>[1];

interface Queue {
  /** The move under way, and those that wait for it. */
  length: number;
  last: Promise<unknown>;
}

const queues = new WeakMap<Db, Queue>();

/**
 * Runs a move, or another change of the registry, in one transaction: one after the other, also those of other
 * processes. The moves of this process wait without a connection to the database. So somebody who locks the registry
 * stops the moves, and takes one connection and no more from everybody else.
 * @param work is called when no other move is under way
 * @param isUrgent for moves that protect visitors: they wait, however many there are
 * @returns what `work` returned, also when it was undone
 * @throws AppError `server.busy` when enough moves wait already
 * @throws DatabaseUnavailable when a lock was not granted in time, or the commit could not be confirmed
 */
export async function transactMove<Result>(
  db: Db,
  work: Work<Result>,
  { isUrgent = false } = {},
): ReturnType<typeof transact<Result>> {
  const queue = queues.get(db) ?? { length: 0, last: Promise.resolve() };
  queues.set(db, queue);
  if (queue.length > MOST_WAITING && !isUrgent)
    throw new AppError('server.busy', 'Other changes of releases are under way; try again in a moment.');

  queue.length++;
  const move = queue.last.then(() =>
    transact<Result>(db, async (tx) => {
      await tx.channels.begin();
      return work(tx);
    }),
  );
  queue.last = move.catch(() => undefined);
  return move.finally(() => queue.length--);
}
