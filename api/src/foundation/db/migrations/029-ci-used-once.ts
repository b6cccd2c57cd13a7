/** The ID tokens that were used, and what tells a trusted repository from a later one with its name. */
export const usedIdTokens = `
  CREATE TABLE used_id_token (
    issuer TEXT NOT NULL,
    jti TEXT NOT NULL,
    ends_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, jti)
  );
  ALTER TABLE trusted_ci ADD COLUMN repository_id TEXT;
  ALTER TABLE trusted_ci ADD COLUMN owner_id TEXT;
`;
