import { COMPANION } from '@app/contracts/brand';

/**
 * The registry of releases: units and their paths, releases, channels, tokens of the teams, reports of failed
 * loads. A path belongs to the unit with the most specific pattern that matches it.
 */
export const releases = `
  CREATE TABLE unit (
    name TEXT PRIMARY KEY,
    paths TEXT NOT NULL,
    created_at BIGINT NOT NULL
  );
  CREATE TABLE "release" (
    unit TEXT NOT NULL REFERENCES unit(name),
    version TEXT NOT NULL,
    manifest TEXT NOT NULL,
    digest TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    published_at BIGINT NOT NULL,
    published_by TEXT NOT NULL,
    last_stable_at BIGINT,
    withdrawn_at BIGINT,
    PRIMARY KEY (unit, version)
  );
  CREATE TABLE channel (
    unit TEXT PRIMARY KEY REFERENCES unit(name),
    stable TEXT,
    canary TEXT,
    canary_share INTEGER,
    canary_since BIGINT,
    halted TEXT,
    halt_reason TEXT,
    halted_at BIGINT,
    lock_reason TEXT,
    locked_by TEXT,
    locked_at BIGINT,
    moved_by TEXT,
    moved_at BIGINT,
    FOREIGN KEY (unit, stable) REFERENCES "release"(unit, version),
    FOREIGN KEY (unit, canary) REFERENCES "release"(unit, version)
  );
  CREATE TABLE deploy_token (
    id TEXT PRIMARY KEY,
    unit TEXT NOT NULL REFERENCES unit(name),
    hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    last_used_at BIGINT
  );
  CREATE TABLE load_report (
    unit TEXT NOT NULL,
    version TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('served', 'failed')),
    network_hmac TEXT NOT NULL,
    reason TEXT,
    reported_at BIGINT NOT NULL,
    PRIMARY KEY (unit, version, kind, network_hmac),
    FOREIGN KEY (unit, version) REFERENCES "release"(unit, version)
  );
  CREATE INDEX load_report_age ON load_report(reported_at);
  CREATE TABLE registry_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL
  );
  INSERT INTO registry_state (id, revision) VALUES (1, 0);

  INSERT INTO unit (name, created_at, paths) VALUES
    ('shell', 0, '["/qa","/qa/*"]'),
    ('marketing', 0, '["/*"]'),
    ('companion', 0, '["/${COMPANION.slug}","/${COMPANION.slug}/*"]'),
    ('key-system', 0, '["/key-system-*","/${COMPANION.slug}/key-system-*","/gate","/check-key"]'),
    ('tools', 0, '["/privacy-policy","/encrypter","/portfolio","/tiahh","/resetsuccessV5","/developers","/errors"]');
`;
