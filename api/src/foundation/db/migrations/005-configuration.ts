/**
 * A step link needs no kind: it has a URL of its own, or the link of the account is used. Rinku makes a link for every
 * visit, so a URL would mean nothing there.
 * The rows are the advertisers of each step in the product specification.
 * Only one signing key is active: two servers that start at once with different keys cannot both activate theirs.
 */
export const configuration = `
  DROP TABLE step_link;
  CREATE TABLE step_link (
    app_id TEXT NOT NULL REFERENCES app(id),
    advertiser_id TEXT NOT NULL REFERENCES advertiser(id),
    os TEXT NOT NULL,
    step INTEGER NOT NULL,
    url TEXT,
    PRIMARY KEY (app_id, advertiser_id, os, step),
    CHECK (url IS NULL OR advertiser_id <> 'rinku')
  );
  CREATE UNIQUE INDEX signing_key_one_active ON signing_key(status) WHERE status='active';

  WITH
    offered (app_id, step, advertiser_id) AS (VALUES
      ('main', 1, 'linkvertise'), ('main', 1, 'rinku'), ('main', 1, 'lootlabs'),
      ('main', 2, 'linkvertise'), ('main', 2, 'workink'), ('main', 2, 'lootlabs'),
      ('main', 3, 'linkvertise'), ('main', 3, 'workink'), ('main', 3, 'lootlabs'),
      ('main', 4, 'linkvertise'), ('main', 4, 'lootlabs'),
      ('main', 5, 'linkvertise'), ('main', 5, 'lootlabs'),
      ('main', 6, 'linkvertise'), ('main', 6, 'lootlabs'),
      ('companion', 1, 'linkvertise'), ('companion', 2, 'linkvertise'), ('companion', 3, 'linkvertise')
    ),
    system (os) AS (VALUES ('android'), ('android_vng'), ('ios'), ('windows'))
  INSERT INTO step_link (app_id, advertiser_id, os, step)
    SELECT app_id, advertiser_id, os, step FROM offered CROSS JOIN system;
`;
