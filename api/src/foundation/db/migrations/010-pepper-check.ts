/** A value by which a server sees whether its pepper is the one that this database was made with. */
export const pepperCheck = `
  CREATE TABLE pepper_check (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL);
`;
