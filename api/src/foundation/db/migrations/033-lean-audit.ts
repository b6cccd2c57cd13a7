/** Nothing looks an event up by its hash. SQLite keeps that index: it could only copy the table, of a year. */
export const leanAudit = (isSqlite: boolean) =>
  isSqlite ? '' : 'ALTER TABLE audit_event DROP CONSTRAINT audit_event_hash_key;\n';
