/** The archive of each release, in pieces. They go with the release, also where a server of the previous release removes it. */
export const releasePieces = (isSqlite: boolean) => `
  CREATE TABLE release_piece (
    unit TEXT NOT NULL,
    version TEXT NOT NULL,
    position INTEGER NOT NULL,
    content ${isSqlite ? 'BLOB' : 'BYTEA'} NOT NULL,
    PRIMARY KEY (unit, version, position),
    FOREIGN KEY (unit, version) REFERENCES "release"(unit, version) ON DELETE CASCADE
  );
`;
