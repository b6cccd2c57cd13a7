import pg from 'pg';

/** The rows of a query, over a connection of its own. The caller has to know their columns. */
export async function queryPostgres<Row>(connectionString: string, sql: string): Promise<Row[]> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const client = new pg.Client({ connectionString, types });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
