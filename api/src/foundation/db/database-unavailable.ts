import { isSqliteError, SQLITE_CODES } from './sqlite/sqlite-error.ts';
import { codeOf } from '#api/foundation/settings/errors.ts';

/** The database cannot be used at the moment. Whether a write was done is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Too many requests wait for a connection already, so this one was refused at once. Nothing was done. */
export class DatabaseQueueFull extends DatabaseUnavailable {}

export function isSqliteBusy(error: unknown): boolean {
  return isSqliteError(error, [SQLITE_CODES.BUSY, SQLITE_CODES.LOCKED]);
}

/** SQLite's codes for a disk that is full, read-only or broken. */
const SQLITE_OUTAGE_CODES = [
  SQLITE_CODES.FULL,
  SQLITE_CODES.IOERR,
  SQLITE_CODES.READONLY,
  SQLITE_CODES.CANTOPEN,
  SQLITE_CODES.PROTOCOL,
];

/**
 * PostgreSQL's codes (SQLSTATE): no connection (08), out of resources (53), stopping or starting (57P), a disk or system
 * that fails (58), a statement cancelled by its time-out, a lock that was not granted in time, a transaction that was
 * idle too long, a serialization failure, a deadlock, a server that takes no writes.
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const POSTGRES_OUTAGE_CODES = /^(08...|53...|57P0.|58...|57014|55P03|25P03|25006|40001|40P01)$/;
const NETWORK_OUTAGE_CODES = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of the driver `pg` that have a message and no code. */
const DRIVER_OUTAGE_MESSAGES =
  /timeout exceeded when trying to connect|^Connection terminated|^Query read timeout$|is not queryable|^Client was closed/;

/** Of those above: the host no longer takes writes, or no longer answers. */
const POSTGRES_LOST_CODES = /^(08...|57P0.|25006)$/;
const DRIVER_LOST_MESSAGES = /^Connection terminated|^Query read timeout$/;

/** Whether an error of PostgreSQL means that its host may be gone, or is no longer the primary. */
export function isHostLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    [POSTGRES_LOST_CODES, NETWORK_OUTAGE_CODES].some((known) => known.test(codeOf(error))) ||
    DRIVER_LOST_MESSAGES.test(error.message)
  );
}

/** Whatever prevents a connection, nothing can be done without one. */
export function asUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error;
  return new DatabaseUnavailable((error instanceof Error && error.message) || codeOf(error), { cause: error });
}

/** Makes `DatabaseUnavailable` of an error that means that; every other one stays as it is. */
export function toUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;

  const code = codeOf(error);
  const isUnhealthy =
    isSqliteBusy(error) ||
    isSqliteError(error, SQLITE_OUTAGE_CODES) ||
    [POSTGRES_OUTAGE_CODES, NETWORK_OUTAGE_CODES].some((known) => known.test(code)) ||
    DRIVER_OUTAGE_MESSAGES.test(error.message);
  return isUnhealthy ? asUnavailable(error) : error;
}
