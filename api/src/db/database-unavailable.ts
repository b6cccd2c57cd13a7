/** The database cannot be worked with at the moment. Whether what was asked for was done is not known to whoever asked. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Another program is in the way of a statement. */
export function isSqliteBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** The disk, or what lies on it: full, read-only, broken. */
const SQLITE_UNWELL = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PROTOCOL)/;

/**
 * PostgreSQL's classes of states: no connection (08), out of something (53), stopping or starting (57P), and what gave
 * way to others: a statement cancelled by its time-out, a lock not had in time, a transaction left idle or in a deadlock,
 * a server that takes no writes.
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const POSTGRES_UNWELL = /^(08...|53...|57P0.|57014|55P03|25P03|25006|40001|40P01)$/;
const NETWORK_UNWELL = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver says in words alone. */
const DRIVER_UNWELL =
  /timeout exceeded when trying to connect|^Connection terminated|^Query read timeout$|is not queryable|^Client was closed/;

/** Turns what says that the database is unwell into that; whatever else was thrown stays as it is. */
export function describeUnwell(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;

  const code = codeOf(error);
  const isUnwell =
    isSqliteBusy(error) ||
    [SQLITE_UNWELL, POSTGRES_UNWELL, NETWORK_UNWELL].some((known) => known.test(code)) ||
    DRIVER_UNWELL.test(error.message);
  return isUnwell ? new DatabaseUnavailable(error.message || code, { cause: error }) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
