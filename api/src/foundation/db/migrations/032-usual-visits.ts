/** How long a visit to an advertiser usually takes, and how many of those who left today finished it. */
export const usualVisits = `
  ALTER TABLE advertiser ADD COLUMN usual_ms BIGINT;
  ALTER TABLE advertiser ADD COLUMN finished_percent INTEGER;
`;
