import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import {
  createChannelsRepository,
  createReleasesRepository,
  type UnitChannels,
} from '#api/delivery/registry/registry.repository.ts';
import { findNewIncompatibilities, readServed, type ServedReleases } from '#api/delivery/registry/compatibility.ts';
import { nameOf } from '#api/delivery/registry/registry.ts';
import { refuse, type Refusal } from '#api/delivery/registry/refused.ts';
import { listPairs, nameOfPair, type ShellRemotePair } from '#api/delivery/rendering/shell-remote-pairs.ts';
import { describeRenderError, type Prerendering, type RenderError } from '#api/delivery/rendering/prerendering.ts';
import type { Act, AuditDetail } from '#api/foundation/audit/audit-entry.ts';
import { rollBack, transact, type RepositoryFactories, type Transaction } from '#api/foundation/audit/transact.ts';
import type { ChannelRow, Db } from '#api/foundation/db/schema.ts';
import { AppError } from '#api/foundation/http/app-error.ts';

/** How many changes of this process may wait for the one that is under way. */
const MAX_WAITING = 2;

/** A longer list of throwing pages is cut. */
const MAX_LISTED = 10;

export interface ChannelDeps {
  db: Db;
  /** Renders pages before they are served. Without it pages render in the browser alone, and none can be refused. */
  prerendering?: Pick<Prerendering, 'renderPairs'> | undefined;
}

export type ChangeOutcome =
  { outcome: 'moved'; others?: readonly Unit[] | undefined } | { outcome: 'unchanged' } | Refusal;

/** The new state of a unit's channels, and the event of the audit that says so. */
interface Step {
  changes: Partial<Omit<ChannelRow, 'unit'>>;
  code: string;
  detail: AuditDetail;
  /** The units that `decide` has changed as well. */
  others?: readonly Unit[];
}

export type ChangeTransaction = Transaction<typeof REPOSITORIES>;

const REPOSITORIES = { channels: createChannelsRepository, releases: createReleasesRepository };

export type Decide = (
  tx: ChangeTransaction,
  found: UnitChannels,
) => Promise<Step | Exclude<ChangeOutcome, { outcome: 'moved' }>>;

/** The change was rolled back, because it brings together releases whose pages were not rendered yet. */
interface NeedsRendering {
  outcome: 'needs rendering';
  before: ServedReleases;
  after: ServedReleases;
}

interface Options {
  passesLock?: boolean;
  /** Whether the change waits however many others do. */
  isUrgent?: boolean;
}

/**
 * Changes the channels of some units, all or none. Changes are made one after the other, a locked unit is left as it
 * is, and afterwards all releases that visitors can get have to fit together, at least as well as before.
 *
 * With `prerendering`, no page may throw in the pairs of shell and remote that the change brings together. Other
 * changes do not wait for the renderer: the transaction is rolled back, and run again once the pages are rendered.
 * @param decide what to change, given the channels of a unit; called for each of the units, possibly more than once
 */
export async function changeChannels(
  { db, prerendering }: ChannelDeps,
  units: readonly Unit[],
  act: Act,
  decide: Decide,
  options: Options = {},
): Promise<ChangeOutcome> {
  const rendered = new Set<string>();
  const needsRendering = (pair: ShellRemotePair) => prerendering !== undefined && !rendered.has(nameOfPair(pair));
  for (;;) {
    const changed = await attemptChange(db, units, act, decide, options, needsRendering);
    if (changed.outcome !== 'needs rendering') return changed;

    const { before, after } = changed;
    const thrown = prerendering && (await findThrowingPages(prerendering, before, after));
    if (thrown && thrown.problems.length > 0) return refuse('misfit', ...thrown.problems);
    for (const pair of listNewPairs(before, after)) rendered.add(nameOfPair(pair));
  }
}

/** @param needsRendering whether the pages of a pair have to be rendered before the change can be made */
function attemptChange(
  db: Db,
  units: readonly Unit[],
  { by, at }: Act,
  decide: Decide,
  { passesLock = false, isUrgent = false }: Options,
  needsRendering: (pair: ShellRemotePair) => boolean,
): Promise<ChangeOutcome | NeedsRendering> {
  const roll = rollBack<ChangeOutcome | NeedsRendering>;

  return transactChange<typeof REPOSITORIES, ChangeOutcome | NeedsRendering>(
    db,
    REPOSITORIES,
    async (tx) => {
      const before = await readServed(tx);
      let isChanged = false;
      const others: Unit[] = [];
      for (const unit of units) {
        const found = await tx.channels.find(unit);
        if (!found) return roll(refuse('unknown', `No unit has the name ${unit}`));
        if (!passesLock && found.channel.lockReason !== null) return roll(refuseLocked(found));

        const step = await decide(tx, found);
        if (!('outcome' in step)) {
          await tx.channels.save(unit, step.changes);
          tx.record({ at, kind: 'channel', code: step.code, subject: null, detail: { unit, ...step.detail, by } });
          isChanged = true;
          others.push(...(step.others ?? []));
        } else if (step.outcome === 'refused') return roll(step);
      }
      if (!isChanged) return roll({ outcome: 'unchanged' });

      const after = await readServed(tx);
      const incompatibilities = findNewIncompatibilities(before, after);
      if (incompatibilities.length > 0) return roll(refuse('misfit', ...incompatibilities));
      if (listNewPairs(before, after).some(needsRendering)) return roll({ outcome: 'needs rendering', before, after });
      return { outcome: 'moved', ...(others.length > 0 && { others }) };
    },
    { isUrgent },
  );
}

export function refuseLocked({ unit, channel: { lockReason, lockedBy, lockedAt } }: UnitChannels): Refusal {
  const since = lockedAt === null ? '' : ` since ${new Date(lockedAt).toISOString().replace(/\.\d+Z$/, 'Z')}`;
  return refuse('locked', `${unit} is locked by ${lockedBy ?? 'an operator'}${since}: ${lockReason ?? ''}`);
}

/** In new pairs. A page that throws for visitors already prevents no change of another unit. */
export async function findThrowingPages(
  { renderPairs }: Pick<Prerendering, 'renderPairs'>,
  before: ServedReleases,
  after: ServedReleases,
  folders?: ReadonlyMap<Release, string>,
): Promise<{ problems: string[]; failures: string[] }> {
  const { thrown, failures } = await renderPairs(listNewPairs(before, after), folders);
  if (thrown.length === 0) return { problems: [], failures };

  const known = new Set((await renderPairs(listPairs(before))).thrown.map(nameOfRenderError));
  const fresh = thrown.filter((page) => !known.has(nameOfRenderError(page)));
  return { problems: fresh.slice(0, MAX_LISTED).map(describeRenderError), failures };
}

function listNewPairs(before: ServedReleases, after: ServedReleases): ShellRemotePair[] {
  const known = new Set(listPairs(before).map(nameOfPair));
  return listPairs(after).filter((pair) => !known.has(nameOfPair(pair)));
}

function nameOfRenderError({ remote, path = '' }: RenderError): string {
  return `${nameOf(remote)} ${path}`;
}

/** How many changes are under way or wait, and the last of them. */
const changeQueues = new WeakMap<Db, { length: number; last: Promise<unknown> }>();

type ChangeNeeds<N extends RepositoryFactories> = N & { channels: typeof createChannelsRepository };

/**
 * Runs a change of the registry in one transaction. Changes run one after the other, also across processes. Those of
 * this process wait without a connection to the database: a client that holds the lock of the registry then stops
 * changes of releases, and takes one connection from all other work.
 * @param isUrgent for changes that protect visitors: they wait, however many there are
 * @throws AppError `server.busy` when enough changes wait already
 */
export async function transactChange<N extends RepositoryFactories, Result>(
  db: Db,
  needs: N,
  work: (tx: Transaction<ChangeNeeds<N>>) => Promise<Result | ReturnType<typeof rollBack<Result>>>,
  { isUrgent = false } = {},
): Promise<Result> {
  const queue = changeQueues.get(db) ?? { length: 0, last: Promise.resolve() };
  changeQueues.set(db, queue);
  if (queue.length > MAX_WAITING && !isUrgent)
    throw new AppError('server.busy', 'Other changes of releases are under way; try again in a moment.');

  queue.length++;
  const change = queue.last.then(() =>
    transact<ChangeNeeds<N>, Result>(db, { ...needs, channels: createChannelsRepository }, async (tx) => {
      await tx.channels.begin();
      return work(tx);
    }),
  );
  queue.last = change.catch(() => undefined);
  return change.finally(() => queue.length--);
}
