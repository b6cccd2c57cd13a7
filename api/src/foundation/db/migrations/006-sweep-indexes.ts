/** Indexes for the sweeper's queries, which run every minute and must not read a whole table. */
export const sweepIndexes = `
  CREATE INDEX run_open_end ON run(expires_at) WHERE state='open';
  CREATE INDEX attempt_issued_end ON step_attempt(expires_at) WHERE state='issued';
  CREATE INDEX attempt_awaiting_end ON step_attempt(expires_at) WHERE state='awaiting_postback';
  CREATE INDEX attempt_checking_since ON step_attempt(returned_at) WHERE state='checking';
  CREATE INDEX key_end ON access_key(expires_at);
  CREATE INDEX attempt_age ON step_attempt(issued_at);
  CREATE INDEX run_age ON run(created_at);
  CREATE INDEX strike_age ON strike(at);
  CREATE INDEX captcha_pass_age ON captcha_pass(passed_at);
  CREATE INDEX reset_request_age ON reset_request(created_at);
  CREATE INDEX webhook_event_age ON webhook_event(received_at);
  CREATE INDEX purchase_order_age ON purchase_order(created_at);
  CREATE INDEX run_network_age ON run(created_at) WHERE ip_hmac IS NOT NULL;
  CREATE INDEX attempt_network_age ON step_attempt(issued_at) WHERE ip_hmac IS NOT NULL;
  CREATE INDEX strike_network_age ON strike(at) WHERE ip_hmac IS NOT NULL;
  CREATE INDEX reset_request_network_age ON reset_request(created_at) WHERE ip_hmac IS NOT NULL;
`;
