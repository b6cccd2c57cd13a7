/**
 * What became of attempts and how many keys there were, by day, how far these are counted, and the tokens that read
 * them. The indexes find the keys of a time.
 */
export const runStats = `
  CREATE TABLE attempt_count (
    app_id TEXT NOT NULL,
    day TEXT NOT NULL,
    step INTEGER NOT NULL,
    advertiser_id TEXT NOT NULL,
    sent INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    credited INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    PRIMARY KEY (app_id, day, step, advertiser_id)
  );
  CREATE TABLE key_count (
    app_id TEXT NOT NULL,
    day TEXT NOT NULL,
    issued INTEGER NOT NULL DEFAULT 0,
    withdrawn INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, day)
  );
  CREATE TABLE counted_until (
    what TEXT PRIMARY KEY,
    at BIGINT NOT NULL
  );
  INSERT INTO counted_until (what, at) VALUES ('attempts', 0), ('issued', 0), ('withdrawn', 0);
  CREATE TABLE stats_token (
    id TEXT PRIMARY KEY,
    app_id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT
  );
  CREATE INDEX key_age ON access_key(issued_at);
  CREATE INDEX key_withdrawn ON access_key(revoked_at) WHERE revoked_at IS NOT NULL;

  -- Unless an operator has given the path to another unit.
  UPDATE unit SET paths = replace(substr(paths, 1, length(paths) - 1) || ',"/stats"]', '[,', '[')
    WHERE name = 'tools' AND NOT EXISTS (SELECT 1 FROM unit WHERE paths LIKE '%"/stats"%');
`;
