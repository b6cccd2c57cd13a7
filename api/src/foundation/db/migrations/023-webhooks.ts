/** Webhooks, and what they have to deliver. A delivery names the event of the audit that it tells, and holds no copy of it. */
export const webhooks = `
  CREATE TABLE webhook (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    owner TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    after_seq BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    disabled_at BIGINT
  );
  CREATE TABLE webhook_delivery (
    id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhook(id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    seq BIGINT,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    next_try_at BIGINT NOT NULL,
    claimed_at BIGINT,
    tries INTEGER NOT NULL DEFAULT 0,
    ended_at BIGINT,
    outcome TEXT
  );
  CREATE INDEX webhook_delivery_of ON webhook_delivery(webhook_id, id);
  CREATE INDEX webhook_delivery_due ON webhook_delivery(webhook_id, next_try_at) WHERE state = 'queued';
  CREATE INDEX webhook_delivery_claimed ON webhook_delivery(claimed_at) WHERE state = 'sending';
`;
