/**
 * The head of the audit's chain is one row, which every writer has to lock. An anchor also says with which row the
 * chain began.
 */
export const auditHead = `
  CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL
  );
  ALTER TABLE audit_anchor ADD COLUMN first_seq BIGINT NOT NULL DEFAULT 1;
`;
