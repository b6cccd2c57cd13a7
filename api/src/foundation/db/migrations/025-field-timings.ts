/** How fast pages of a canary, and of the stable release beside it, were in browsers: a count for each bucket. */
export const fieldTimings = `
  CREATE TABLE field_timing (
    unit TEXT NOT NULL,
    version TEXT NOT NULL,
    day INTEGER NOT NULL,
    page TEXT NOT NULL,
    cached INTEGER NOT NULL,
    timing TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    PRIMARY KEY (unit, version, day, page, cached, timing, bucket)
  );
`;
