import { expect, test } from 'vitest';
import { MIGRATION_NAMES, REMOVING_MIGRATION_PATTERN, statementsOf, type MigrationName } from './migrate.ts';

/** Since then servers are upgraded one after another, so the code of two releases works on one database. */
const FIRST_SHARED: MigrationName = '016-sealed-audit';

/** What breaks the code of the release before, while both work on one database. */
const NARROWING_PATTERNS: readonly [RegExp, string][] = [
  [/\bdrop\s+table\b/i, 'removes a table'],
  [/\bdrop\s+column\b/i, 'removes a column'],
  [/\brename\b/i, 'renames'],
  [/\bset\s+not\s+null\b|\bset\s+data\s+type\b|\balter\s+column\s+\S+\s+type\b/i, 'narrows a column'],
  [/\badd\s+column\b(?=.*\bnot\s+null\b)(?!.*\bdefault\b)/is, 'adds a column that old code does not fill'],
  [/\badd\s+(constraint|check|unique|foreign|primary)\b/i, 'adds a condition'],
  [/\bcreate\s+unique\s+index\b/i, 'adds a condition'],
];

/**
 * Finds what a migration takes from the code of the release before.
 * @param statements the SQL of the migration
 * @returns a sentence for each such statement
 */
function findNarrowing(statements: readonly string[]): string[] {
  const created = new Set(
    statements.flatMap((statement) => /create\s+table\s+"?(\w+)/i.exec(statement)?.slice(1) ?? []),
  );
  // A table that the same migration creates is not in use yet.
  const isOnNew = (statement: string) =>
    created.has(/\b(?:on|table)\s+"?(\w+)/i.exec(statement)?.[1] ?? '') && !/drop\s+table/i.test(statement);
  return statements.flatMap((statement) =>
    NARROWING_PATTERNS.filter(([pattern]) => pattern.test(statement) && !isOnNew(statement)).map(
      ([, what]) => `${what}: ${statement.trim()}`,
    ),
  );
}

test.each(MIGRATION_NAMES.filter((name) => name >= FIRST_SHARED && !REMOVING_MIGRATION_PATTERN.test(name)))(
  'migration %s is compatible with servers of the previous release',
  (name) => {
    expect([true, false].flatMap((isSqlite) => statementsOf(name, isSqlite))).not.toEqual([]);
    for (const isSqlite of [true, false]) expect(findNarrowing(statementsOf(name, isSqlite))).toEqual([]);
  },
);

test.each([
  ['ALTER TABLE run DROP COLUMN os', 'removes a column'],
  ['drop table "run"', 'removes a table'],
  ['ALTER TABLE run RENAME COLUMN os TO system', 'renames'],
  ['ALTER TABLE run ALTER COLUMN os SET NOT NULL', 'narrows a column'],
  ['ALTER TABLE run ADD COLUMN name TEXT NOT NULL', 'adds a column that old code does not fill'],
  ['ALTER TABLE run ADD CONSTRAINT c CHECK (step > 0)', 'adds a condition'],
  ['CREATE UNIQUE INDEX one ON run(device_id)', 'adds a condition'],
])('rejects %s', (statement, what) => {
  expect(findNarrowing([statement])).toEqual([`${what}: ${statement}`]);
});

test.each([
  ['a new table with conditions', ['CREATE TABLE t (id TEXT NOT NULL)', 'CREATE UNIQUE INDEX t_id ON t(id)']],
  ['a column with a default', ['ALTER TABLE run ADD COLUMN n INTEGER NOT NULL DEFAULT 0']],
  ['a column that may be empty', ['ALTER TABLE run ADD COLUMN n INTEGER']],
  ['an index', ['CREATE INDEX i ON run(n)']],
])('accepts %s', (_what, statements) => {
  expect(findNarrowing(statements)).toEqual([]);
});
