import { EventEmitter } from 'node:events';
import type { Db } from '#api/foundation/db/schema.ts';
import { auditEvents } from '#api/foundation/telemetry/metrics.ts';
import { type AuditEntry, canonicalJson } from './audit-entry.ts';

/** Tells under `of` and the subject of an event, such as the id of a device, that this server has committed it. */
export const commits = new EventEmitter().setMaxListeners(0);

/** What every transaction offers besides its repositories. */
export interface EventRecorder {
  /** Adds an event to the audit, if the transaction commits. */
  record: (event: AuditEntry) => void;
}

type CreateRepository = (db: Db) => object;

/** What a use case needs in its transaction: a repository by each name. */
export type RepositoryFactories = Readonly<Record<string, CreateRepository>>;

/** What the work of a transaction gets: its repositories, on the transaction's connection. */
export type Transaction<N extends RepositoryFactories> = BoundRepositories<N> & EventRecorder;

type BoundRepositories<N extends RepositoryFactories> = { [Name in keyof N]: ReturnType<N[Name]> };

class RolledBack<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('The transaction is rolled back');
    this.result = result;
  }
}

/** Rolls a transaction back when its work returns this; the caller still gets the result. */
export function rollBack<Result>(result: Result): RolledBack<Result> {
  return new RolledBack(result);
}

/**
 * Runs a use case in one transaction. The recorded events are written just before the commit, and sealed into the
 * audit's chain after it (`sealAudit`).
 * @param needs the repositories that `work` gets
 * @returns what `work` returned, also when it was rolled back
 * @throws DatabaseUnavailable when the commit could not be confirmed
 */
export async function transact<N extends RepositoryFactories, Result>(
  db: Db,
  needs: N,
  work: (tx: Transaction<N>) => Promise<Result | RolledBack<Result>>,
): Promise<Result> {
  const events: AuditEntry[] = [];
  try {
    const done = await db.transaction().execute(async (trx) => {
      const outcome = await work({ ...bindRepositories(trx, needs), record: (event) => void events.push(event) });
      if (outcome instanceof RolledBack) throw outcome;

      await writeEvents(trx, events);
      return outcome;
    });
    for (const { kind, code, subject } of events) {
      auditEvents.inc({ kind, code });
      // With a word before it, as an emitter throws for one named `error`.
      if (subject !== null) commits.emit(`of ${subject}`);
    }
    return done;
  } catch (error) {
    if (error instanceof RolledBack) return error.result as Result;
    throw error;
  }
}

export function bindRepositories<N extends RepositoryFactories>(db: Db, needs: N): BoundRepositories<N> {
  return Object.fromEntries(Object.entries(needs).map(([name, create]) => [name, create(db)])) as BoundRepositories<N>;
}

/**
 * Writes events for the audit in the transaction of the change: all is committed, or nothing. No transaction waits for
 * another one here; `sealAudit` puts the events into the chain later.
 */
async function writeEvents(trx: Db, events: readonly AuditEntry[]): Promise<void> {
  if (events.length === 0) return;

  await trx
    .insertInto('auditUnsealed')
    .values(
      events.map(({ at, kind, code, subject, detail = {} }) => ({
        at,
        kind,
        code,
        subject,
        detail: canonicalJson(detail),
      })),
    )
    .execute();
}
