/** All tables of the key system, the shop and the audit, in SQL that both SQLite and PostgreSQL accept. */
export const initial = `
  CREATE TABLE app (
    id TEXT PRIMARY KEY,
    steps_per_series INTEGER NOT NULL,
    series_required INTEGER NOT NULL,
    key_ttl_ms BIGINT NOT NULL
  );
  CREATE TABLE advertiser (
    id TEXT PRIMARY KEY,
    enabled INTEGER NOT NULL DEFAULT 1,
    proof TEXT NOT NULL CHECK (proof IN ('token', 'postback', 'secret_url', 'sandbox')),
    min_dwell_ms BIGINT NOT NULL,
    secret_ref TEXT
  );
  CREATE TABLE step_link (
    app_id TEXT NOT NULL REFERENCES app(id),
    advertiser_id TEXT NOT NULL REFERENCES advertiser(id),
    os TEXT NOT NULL,
    step INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('own', 'static', 'dynamic')),
    url TEXT,
    PRIMARY KEY (app_id, advertiser_id, os, step)
  );
  CREATE TABLE device (
    id TEXT PRIMARY KEY,
    app_id TEXT NOT NULL REFERENCES app(id),
    hwid_hmac TEXT NOT NULL,
    first_seen BIGINT NOT NULL,
    last_seen BIGINT NOT NULL,
    blocked_until BIGINT,
    block_reason TEXT,
    UNIQUE (app_id, hwid_hmac)
  );
  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    app_id TEXT NOT NULL REFERENCES app(id),
    device_id TEXT NOT NULL REFERENCES device(id),
    zone_hmac TEXT NOT NULL,
    sealed_subject TEXT NOT NULL,
    os TEXT NOT NULL,
    steps_required INTEGER NOT NULL,
    step INTEGER NOT NULL DEFAULT 1,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'completed', 'expired', 'cancelled', 'blocked')),
    visitor_hmac TEXT,
    ip_hmac TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    completed_at BIGINT
  );
  CREATE UNIQUE INDEX run_one_open ON run(device_id) WHERE state='open';
  CREATE TABLE step_attempt (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    advertiser_id TEXT NOT NULL REFERENCES advertiser(id),
    token_hash TEXT NOT NULL UNIQUE,
    sealed_context TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'issued' CHECK (state IN ('issued', 'checking', 'awaiting_postback', 'verified', 'rejected', 'superseded', 'expired')),
    issued_at BIGINT NOT NULL,
    not_before BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    returned_at BIGINT,
    postback_at BIGINT,
    verified_at BIGINT,
    provider_ref TEXT,
    reason TEXT,
    ip_hmac TEXT
  );
  CREATE UNIQUE INDEX attempt_one_win ON step_attempt(run_id,step) WHERE state='verified';
  CREATE UNIQUE INDEX attempt_ref_once ON step_attempt(advertiser_id,provider_ref) WHERE provider_ref IS NOT NULL;
  CREATE TABLE purchase_order (
    id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL REFERENCES device(id),
    mode INTEGER NOT NULL CHECK (mode IN (1, 2, 3)),
    zone_hmac TEXT,
    amount_cents INTEGER NOT NULL,
    currency TEXT NOT NULL DEFAULT 'eur',
    provider TEXT NOT NULL,
    provider_ref TEXT UNIQUE,
    idem_key TEXT NOT NULL UNIQUE,
    client_date TEXT,
    state TEXT NOT NULL CHECK (state IN ('created', 'redirected', 'paid', 'failed', 'expired', 'refunded')),
    created_at BIGINT NOT NULL,
    paid_at BIGINT
  );
  CREATE TABLE plan (
    id TEXT PRIMARY KEY,
    mode INTEGER NOT NULL UNIQUE,
    price_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    days INTEGER NOT NULL
  );
  CREATE TABLE reseller (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    logo TEXT NOT NULL,
    description TEXT NOT NULL,
    discord TEXT NOT NULL,
    buy_link TEXT NOT NULL,
    is_arceus_x INTEGER NOT NULL DEFAULT 0,
    trusted INTEGER,
    position INTEGER NOT NULL,
    updated_at BIGINT NOT NULL
  );
  CREATE TABLE licence (
    id TEXT PRIMARY KEY,
    email_hmac TEXT,
    email_enc TEXT,
    created_at BIGINT NOT NULL,
    last_reset_at BIGINT,
    resets_used INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE licence_code (
    id TEXT PRIMARY KEY,
    code_hash TEXT NOT NULL UNIQUE,
    reseller_id TEXT NOT NULL REFERENCES reseller(id),
    plan_id TEXT NOT NULL REFERENCES plan(id),
    issued_at BIGINT NOT NULL,
    redeemed_at BIGINT,
    revoked_at BIGINT
  );
  CREATE TABLE licence_period (
    id TEXT PRIMARY KEY,
    licence_id TEXT NOT NULL REFERENCES licence(id),
    plan_id TEXT NOT NULL REFERENCES plan(id),
    order_id TEXT UNIQUE REFERENCES purchase_order(id),
    code_id TEXT UNIQUE REFERENCES licence_code(id),
    starts_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    revoked_at BIGINT,
    CHECK ((order_id IS NULL) <> (code_id IS NULL))
  );
  CREATE TABLE licence_device (
    licence_id TEXT NOT NULL REFERENCES licence(id),
    device_id TEXT NOT NULL REFERENCES device(id),
    bound_at BIGINT NOT NULL,
    unbound_at BIGINT,
    PRIMARY KEY (licence_id, device_id, bound_at)
  );
  CREATE TABLE access_key (
    jti TEXT PRIMARY KEY,
    app_id TEXT NOT NULL REFERENCES app(id),
    device_id TEXT NOT NULL REFERENCES device(id),
    run_id TEXT UNIQUE REFERENCES run(id),
    licence_id TEXT REFERENCES licence(id),
    kid TEXT NOT NULL,
    jws TEXT NOT NULL,
    issued_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    revoke_reason TEXT,
    CHECK ((run_id IS NULL) <> (licence_id IS NULL))
  );
  CREATE TABLE webhook_event (
    provider TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT,
    received_at BIGINT NOT NULL,
    processed_at BIGINT,
    error TEXT,
    PRIMARY KEY (provider, event_id)
  );
  CREATE TABLE captcha_pass (
    id TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    hwid_hmac TEXT NOT NULL,
    os TEXT,
    advertiser TEXT,
    passed_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    consumed_at BIGINT
  );
  CREATE TABLE strike (
    id TEXT PRIMARY KEY,
    device_id TEXT REFERENCES device(id),
    visitor_hmac TEXT,
    ip_hmac TEXT,
    code TEXT NOT NULL,
    at BIGINT NOT NULL
  );
  CREATE TABLE reset_request (
    id TEXT PRIMARY KEY,
    licence_id TEXT REFERENCES licence(id),
    email_hmac TEXT NOT NULL,
    token_hash TEXT UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    ip_hmac TEXT,
    mail_state TEXT NOT NULL DEFAULT 'queued'
  );
  CREATE TABLE audit_event (
    seq BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    code TEXT NOT NULL,
    subject TEXT,
    detail TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
  );
  CREATE TABLE audit_anchor (
    day TEXT PRIMARY KEY,
    last_seq BIGINT NOT NULL,
    last_hash TEXT NOT NULL,
    kid TEXT NOT NULL,
    jws TEXT NOT NULL
  );
  CREATE TABLE signing_key (
    kid TEXT PRIMARY KEY,
    alg TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('next', 'active', 'retired')),
    not_before BIGINT NOT NULL,
    not_after BIGINT
  );

  INSERT INTO app (id, steps_per_series, series_required, key_ttl_ms)
    VALUES ('main', 3, 2, 86400000), ('companion', 3, 1, 86400000);
  INSERT INTO advertiser (id, proof, min_dwell_ms)
    VALUES ('linkvertise', 'token', 15000), ('workink', 'token', 15000), ('lootlabs', 'postback', 20000), ('rinku', 'secret_url', 10000);
`;
