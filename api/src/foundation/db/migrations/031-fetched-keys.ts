/** When the app of a device first fetched a key; null until it has. */
export const fetchedKeys = `
  ALTER TABLE access_key ADD COLUMN fetched_at BIGINT;
`;
