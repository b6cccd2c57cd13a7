/**
 * What operators say of an app. The columns are null for the apps of the specification, of which the code says it. The
 * sandbox gets its advertiser with its first run: servers of the previous release know no such advertiser. The unit with
 * the pages of runs gets those of all apps.
 */
export const registeredApps = `
  ALTER TABLE app ADD COLUMN name TEXT;
  ALTER TABLE app ADD COLUMN scheme TEXT;
  ALTER TABLE app ADD COLUMN colour TEXT;
  ALTER TABLE app ADD COLUMN contact TEXT;
  ALTER TABLE app ADD COLUMN advertisers TEXT;
  INSERT INTO app (id, steps_per_series, series_required, key_ttl_ms, name, colour, advertisers)
    VALUES ('sandbox', 1, 1, 86400000, 'Sandbox', 'blue', 'sandbox');

  UPDATE unit SET paths = replace(substr(paths, 1, length(paths) - 1) || ',"/apps/*"]', '[,', '[') WHERE name = 'key-system';
`;
