/** What orders, licences, codes and links of mails need besides the first migration, and the queue of mails. */
export const payments = `
  INSERT INTO plan (id, mode, price_cents, currency, days) VALUES ('basic', 1, 99, 'eur', 7), ('plus', 2, 299, 'eur', 30), ('premium', 3, 1499, 'eur', 365) ON CONFLICT DO NOTHING;
  ALTER TABLE purchase_order ADD COLUMN sealed_claim TEXT;
  ALTER TABLE purchase_order ADD COLUMN provider_url TEXT;
  ALTER TABLE purchase_order ADD COLUMN expires_at BIGINT;
  ALTER TABLE purchase_order ADD COLUMN payment_ref TEXT;
  ALTER TABLE purchase_order ADD COLUMN sealed_buyer TEXT;
  ALTER TABLE purchase_order ADD COLUMN country_code TEXT;
  ALTER TABLE purchase_order ADD COLUMN shows_name INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE purchase_order ADD COLUMN refunded_at BIGINT;
  CREATE UNIQUE INDEX order_payment_ref ON purchase_order(payment_ref) WHERE payment_ref IS NOT NULL;
  CREATE INDEX order_paid ON purchase_order(paid_at) WHERE paid_at IS NOT NULL;
  CREATE INDEX order_device ON purchase_order(device_id);
  CREATE TABLE payment (
    ref TEXT PRIMARY KEY,
    told_at BIGINT NOT NULL,
    reversed_at BIGINT,
    reverse_reason TEXT
  );
  ALTER TABLE licence ADD COLUMN wants_reminder INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE licence ADD COLUMN reminded_of BIGINT;
  CREATE INDEX licence_email ON licence(email_hmac);
  ALTER TABLE licence_period ADD COLUMN revoke_reason TEXT;
  CREATE INDEX period_licence ON licence_period(licence_id);
  CREATE UNIQUE INDEX licence_device_bound ON licence_device(licence_id, device_id) WHERE unbound_at IS NULL;
  CREATE INDEX licence_of_device ON licence_device(device_id) WHERE unbound_at IS NULL;
  CREATE INDEX key_of_licence ON access_key(licence_id) WHERE licence_id IS NOT NULL;
  ALTER TABLE licence_code ADD COLUMN batch_id TEXT;
  CREATE INDEX code_batch ON licence_code(batch_id);
  CREATE INDEX code_redeemed ON licence_code(redeemed_at) WHERE redeemed_at IS NOT NULL;
  ALTER TABLE reset_request ADD COLUMN purpose TEXT NOT NULL DEFAULT 'reset';
  ALTER TABLE reset_request ADD COLUMN device_id TEXT REFERENCES device(id);
  ALTER TABLE reset_request ADD COLUMN sealed_device TEXT;
  CREATE INDEX reset_licence ON reset_request(licence_id);
  CREATE INDEX reset_device ON reset_request(device_id) WHERE device_id IS NOT NULL;
  CREATE TABLE mail (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    sealed_message TEXT,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'failed')),
    created_at BIGINT NOT NULL,
    next_try_at BIGINT NOT NULL,
    claimed_at BIGINT,
    tries INTEGER NOT NULL DEFAULT 0,
    sent_at BIGINT,
    error TEXT
  );
  CREATE INDEX mail_due ON mail(next_try_at) WHERE state IN ('queued', 'sending');
`;
