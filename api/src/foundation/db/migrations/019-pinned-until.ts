/** Until when a pin of a browser may name a release. */
export const pinnedUntil = `
  ALTER TABLE "release" ADD COLUMN pinned_until BIGINT;
`;
