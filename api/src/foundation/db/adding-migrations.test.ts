import { CamelCasePlugin, Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { findNarrowing } from '#api/test/databases/find-narrowing.ts';
import { migrate, MIGRATION_NAMES, REMOVES, type MigrationName } from './migrate.ts';
import type { Database } from './schema.ts';
import { sqlite } from './sqlite/sqlite.ts';

/** Since then servers are upgraded one after another, so the code of two releases works on one database. */
const FIRST_SHARED: MigrationName = '016-sealed-audit';

async function statementsOf(name: MigrationName): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<Database>({
    dialect: sqlite(':memory:'),
    plugins: [new CamelCasePlugin()],
    log: ({ query }) => void statements.push(query.sql),
  });
  await migrate(db, MIGRATION_NAMES[MIGRATION_NAMES.indexOf(name) - 1]);
  statements.length = 0;
  await migrate(db, name);
  await db.destroy();
  return statements.filter((statement) => !statement.includes('kysely_migration'));
}

test.each(MIGRATION_NAMES.filter((name) => name >= FIRST_SHARED && !REMOVES.test(name)))(
  '%s takes nothing from servers of the release before',
  async (name) => {
    const statements = await statementsOf(name);

    expect(statements).not.toEqual([]);
    expect(findNarrowing(statements)).toEqual([]);
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
])('%s is refused', (statement, what) => {
  expect(findNarrowing([statement])).toEqual([`${what}: ${statement}`]);
});

test.each([
  ['a new table with conditions', ['CREATE TABLE t (id TEXT NOT NULL)', 'CREATE UNIQUE INDEX t_id ON t(id)']],
  ['a column with a default', ['ALTER TABLE run ADD COLUMN n INTEGER NOT NULL DEFAULT 0']],
  ['a column that may be empty', ['ALTER TABLE run ADD COLUMN n INTEGER']],
  ['an index', ['CREATE INDEX i ON run(n)']],
])('%s is none of these', (_what, statements) => {
  expect(findNarrowing(statements)).toEqual([]);
});
