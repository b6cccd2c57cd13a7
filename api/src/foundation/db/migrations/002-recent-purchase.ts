/** The rows that the feed of purchases shows. `is_demo` marks those that only demonstrate it. */
export const recentPurchase = `
  CREATE TABLE recent_purchase (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    location TEXT NOT NULL,
    country_code TEXT NOT NULL,
    bought_at BIGINT NOT NULL,
    is_demo INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX recent_purchase_bought_at ON recent_purchase(bought_at);
`;
