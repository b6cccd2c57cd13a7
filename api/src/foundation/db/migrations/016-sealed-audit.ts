/** Events wait here until a server seals them into the chain, so that no change waits for the chain's head. */
export const sealedAudit = (isSqlite: boolean) => `
  CREATE TABLE audit_unsealed (
    id ${isSqlite ? 'INTEGER PRIMARY KEY' : 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'},
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    code TEXT NOT NULL,
    subject TEXT,
    detail TEXT NOT NULL
  );
`;
