/** Since when the circuit of an advertiser is open, for operators to see. */
export const failingAdvertisers = `
  ALTER TABLE advertiser ADD COLUMN failing_since BIGINT;
`;
