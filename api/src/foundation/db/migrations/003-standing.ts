/**
 * What eligibility is decided by: weights of strikes, and the time of a proof that is held until it counts. The indexes
 * serve every query of a request on a table that grows.
 */
export const eligibility = `
  ALTER TABLE strike ADD COLUMN weight INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE step_attempt ADD COLUMN proof_at BIGINT;
  CREATE INDEX strike_device ON strike(device_id, at);
  CREATE INDEX run_device ON run(device_id, created_at);
  CREATE INDEX run_network ON run(ip_hmac, created_at);
  CREATE INDEX attempt_run ON step_attempt(run_id, step);
  CREATE INDEX key_device ON access_key(device_id, issued_at);
  CREATE INDEX captcha_pass_device ON captcha_pass(hwid_hmac, expires_at);
`;
