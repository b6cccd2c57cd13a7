/** In how many minutes of a UTC day a server was up, and its page. Minutes are those of the day, 0 to 1439. */
export const uptime = `
  CREATE TABLE uptime_day (
    day TEXT PRIMARY KEY,
    first_minute INTEGER NOT NULL,
    last_minute INTEGER NOT NULL,
    minutes INTEGER NOT NULL
  );

  -- Unless an operator has given the path to another unit.
  UPDATE unit SET paths = replace(substr(paths, 1, length(paths) - 1) || ',"/status"]', '[,', '[')
    WHERE name = 'tools' AND NOT EXISTS (SELECT 1 FROM unit WHERE paths LIKE '%"/status"%');
`;
