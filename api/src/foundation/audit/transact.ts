import type { Db } from '#api/foundation/db/schema.ts';
import { auditEvents } from '#api/foundation/telemetry/metrics.ts';
import type { AuditEntry } from './audit-entry.ts';
import { recordEvents } from './record-events.ts';

/** What every transaction offers besides its repositories. */
export interface Recorder {
  /** Adds an event to the audit, if the transaction commits. */
  record: (event: AuditEntry) => void;
}

/** Wraps the result of a transaction that is rolled back. */
class Undone<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('The transaction is undone');
    this.result = result;
  }
}

/** Rolls a transaction back when its work returns this; the caller still gets the result. */
export function undo<Result>(result: Result): Undone<Result> {
  return new Undone(result);
}

/**
 * Makes the `transact` of a feature.
 * @param bind makes the repositories of a feature for one transaction
 */
export function createTransact<Repositories extends object>(bind: (trx: Db) => Repositories) {
  /**
   * Runs a use case in one transaction. The recorded events are written just before the commit, and sealed into the
   * audit's chain after it (`sealAudit`).
   * @returns what `work` returned, also when it was undone
   * @throws DatabaseUnavailable when the commit could not be confirmed
   */
  return async function transact<Result>(
    db: Db,
    work: (tx: Repositories & Recorder) => Promise<Result | Undone<Result>>,
  ): Promise<Result> {
    const events: AuditEntry[] = [];
    try {
      const done = await db.transaction().execute(async (trx) => {
        const outcome = await work({ ...bind(trx), record: (event) => void events.push(event) });
        if (outcome instanceof Undone) throw outcome;

        await recordEvents(trx, events);
        return outcome;
      });
      for (const { kind, code } of events) auditEvents.inc({ kind, code });
      return done;
    } catch (error) {
      if (error instanceof Undone) return error.result as Result;
      throw error;
    }
  };
}
