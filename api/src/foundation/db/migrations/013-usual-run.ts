/** How long a run of an app usually takes, and the index by which the newest completed runs are found. */
export const usualRun = `
  ALTER TABLE app ADD COLUMN usual_run_ms BIGINT;
  CREATE INDEX run_completed ON run(app_id, completed_at) WHERE state='completed';
`;
