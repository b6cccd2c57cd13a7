/** The CI jobs that publish and change a unit without a deploy token. */
export const trustedCi = `
  CREATE TABLE trusted_ci (
    id TEXT PRIMARY KEY,
    unit TEXT NOT NULL REFERENCES unit(name),
    issuer TEXT NOT NULL,
    repository TEXT NOT NULL,
    ref TEXT NOT NULL,
    environment TEXT,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL
  );
`;
