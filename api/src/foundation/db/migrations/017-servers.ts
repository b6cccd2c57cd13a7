/**
 * The servers that work on this database. On PostgreSQL the table is in no log: what it says is true for seconds only,
 * so its commits wait neither for the disk nor for a standby, and a standby that takes over begins with an empty one.
 */
export const servers = (isSqlite: boolean) => `
  CREATE ${isSqlite ? '' : 'UNLOGGED'} TABLE server (
    name TEXT NOT NULL PRIMARY KEY,
    peer_url TEXT,
    sockets BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
  );
`;
