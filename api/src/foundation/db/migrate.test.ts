import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql, type Dialect, type Driver } from 'kysely';
import { expect, test } from 'vitest';
import { describeEachEmptyDatabase } from '#api/test/databases/describe-each-database.ts';
import { describeShape, insertOldRows, listRows } from '#api/test/databases/old-databases.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { isSqlite } from './dialect.ts';
import { migrate, MIGRATION_NAMES, type MigrationName } from './migrate.ts';
import { withDialect } from './open-db.ts';
import type { Db } from './schema.ts';
import { sqlite } from './sqlite/sqlite.ts';

async function withDatabase<T>(file: string, use: (db: Db) => Promise<T>): Promise<T> {
  const db = withDialect(sqlite(file));
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/** A dialect that fails from this statement on, like a process that is killed. */
function ending(dialect: Dialect, atStatement: number): Dialect & { hasEnded: () => boolean } {
  let statements = 0;
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    hasEnded: () => statements >= atStatement,
    createDriver() {
      const driver = dialect.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      return Object.assign(driver, {
        async acquireConnection() {
          const connection = await acquire();
          const execute = connection.executeQuery.bind(connection);
          return Object.assign(connection, {
            executeQuery: (query: Parameters<typeof execute>[0]) => {
              statements += 1;
              if (statements >= atStatement) throw new Error('killed');
              return execute(query);
            },
          });
        },
      } satisfies Partial<Driver>);
    },
  };
}

test('a server killed at any point of its first start leaves a database that the next start completes', async () => {
  const folder = makeFolder();
  const undisturbed = await withDatabase(join(folder, 'undisturbed.sqlite'), async (db) => {
    await migrate(db);
    return describeShape(db);
  });
  const tableCount = (await withDatabase(join(folder, 'undisturbed.sqlite'), (db) => db.introspection.getTables()))
    .length;

  let statement = 1;
  for (let hasEnded = true; hasEnded; statement += 11) {
    const file = join(folder, `${String(statement)}.sqlite`);
    const dialect = ending(sqlite(file), statement);
    const killed = withDialect(dialect);
    await migrate(killed).catch(() => undefined);
    await killed.destroy();
    hasEnded = dialect.hasEnded();

    // All tables or none: a migration must not be left half done, even if the next start could mend it.
    const tables = await withDatabase(file, (db) => db.introspection.getTables());
    expect([0, tableCount]).toContain(tables.length);
    expect(
      await withDatabase(file, async (db) => (await migrate(db), describeShape(db))),
      `killed at statement ${String(statement)}`,
    ).toEqual(undisturbed);
  }
  expect(statement).toBeGreaterThan(70);
});

test('a failing migration is reported', async () => {
  const file = join(makeFolder(), 'a.sqlite');
  const database = new DatabaseSync(file);
  database.exec('create table run (of text)');
  database.close();

  await withDatabase(file, (db) => expect(migrate(db)).rejects.toThrow('The database could not be migrated.'));
});

/** A unit as it is after the migrations that gave `tools` two pages more. */
function withAddedPages(row: Record<string, unknown>): Record<string, unknown> {
  if (row['name'] !== 'tools') return row;
  const paths = JSON.parse(String(row['paths'])) as string[];
  return { ...row, paths: JSON.stringify([...new Set([...paths, '/stats', '/status'])]) };
}

describeEachEmptyDatabase('upgrades', (empty) => {
  test.each(MIGRATION_NAMES.slice(0, -1))(
    'a database migrated up to %s keeps every row and gets the schema of a new one',
    async (from: MigrationName) => {
      const fresh = await empty();
      await migrate(fresh);
      const shape = await describeShape(fresh);
      const old = await empty();
      await migrate(old, from);
      await insertOldRows(old);
      const rows = await listRows(old);
      expect(Object.values(rows).flat().length).toBeGreaterThan(20);

      await migrate(old);

      expect(await describeShape(old)).toEqual(shape);
      // One unit got more pages.
      const { unit, ...others } = rows;
      expect(await listRows(old)).toMatchObject(others);
      for (const row of unit ?? []) expect((await listRows(old))['unit']).toContainEqual(withAddedPages(row));
    },
  );

  test('released migrations create the same schema and configuration as at their release', async () => {
    const db = await empty();
    await migrate(db, '029-ci-used-once');

    const shape = JSON.stringify(await describeShape(db)).replaceAll(/(?:\s|\\n)+/g, ' ');
    expect(createHash('sha256').update(shape).digest('hex')).toBe(
      isSqlite(db)
        ? 'ec1571fa8dd92895e5fc55e9c9f4da9f37ced48523b898d5e9a83d1e6349b25b'
        : '7401ef206038eef519f603339283b6457e162f7b68495d4895548cbf3ea2efa4',
    );
  });

  test('a failed migration is rolled back together with those before it', async () => {
    const db = await empty();
    await migrate(db, '002-recent-purchase');
    // Makes the fourth migration fail.
    await sql`create view audit_head as select 1 as id`.execute(db);
    const before = await describeShape(db);

    await expect(migrate(db)).rejects.toThrow('The database could not be migrated.');

    expect(await describeShape(db)).toEqual(before);
  });
});
