/**
 * A run's zone can change, and pages have to be told the new one, so the run keeps it sealed. A device may have one
 * open run for each browser that began one. An attempt under check names the server that checks it.
 */
export const zonesAndClaims = `
  ALTER TABLE run ADD COLUMN sealed_zone TEXT;
  DROP INDEX run_one_open;
  CREATE UNIQUE INDEX run_one_open_of_browser ON run(device_id, visitor_hmac) WHERE state='open';
  ALTER TABLE step_attempt ADD COLUMN claimed_by TEXT;
`;
