/** Who holds a network from which a release was reported: all networks of one holder count as few. */
export const networkHolders = `
  ALTER TABLE load_report ADD COLUMN holder_hmac TEXT;
`;
