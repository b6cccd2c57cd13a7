import type { Db } from '#api/db/schema.ts';
import { appendAudit } from './append-audit.ts';
import type { AuditEntry } from './audit-entry.ts';

/** What every transaction offers beside its repositories. */
export interface Recorder {
  /** Puts an event on record, if the transaction commits. */
  record: (event: AuditEntry) => void;
}

/** A result whose transaction leaves nothing behind. */
class Undone<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('The transaction is undone');
    this.result = result;
  }
}

/** Returned from a transaction, it rolls everything back and still gives the result to whoever asked. */
export function undo<Result>(result: Result): Undone<Result> {
  return new Undone(result);
}

/**
 * Makes a feature's `transact`, with the repositories that its use cases write through.
 * @param bind makes the repositories of one transaction
 */
export function createTransact<Repositories extends object>(bind: (trx: Db) => Repositories) {
  /**
   * Does all of a use case's work, or nothing. What was recorded is appended to the audit just before the commit:
   * whoever waits for the audit's head holds every other lock already, so nobody deadlocks.
   * @throws DatabaseUnavailable when the commit could not be confirmed
   */
  return async function transact<Result>(
    db: Db,
    work: (tx: Repositories & Recorder) => Promise<Result | Undone<Result>>,
  ): Promise<Result> {
    try {
      return await db.transaction().execute(async (trx) => {
        const events: AuditEntry[] = [];
        const outcome = await work({ ...bind(trx), record: (event) => void events.push(event) });
        if (outcome instanceof Undone) throw outcome;

        for (const event of events) await appendAudit(trx, event);
        return outcome;
      });
    } catch (error) {
      if (error instanceof Undone) return error.result as Result;
      throw error;
    }
  };
}
