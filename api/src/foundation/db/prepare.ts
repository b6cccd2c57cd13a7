import type { CompiledQuery } from 'kysely';
import { isSqlite } from './dialect.ts';
import type { Db } from './schema.ts';

/** Stands for a value while a statement is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** A statement that calculated with it would keep the result. */
  valueOf(): never {
    throw new TypeError(`${this.name} is not known while the statement is built`);
  }
}

/**
 * Makes a statement that is built once and then only gets its values: building it takes longer than running it. A value
 * stands where the database takes a parameter, so the statement is the same for all of them.
 * @returns gives the rows
 */
export function prepare<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile: (db: Db) => CompiledQuery<Row> },
) {
  const built = new Map<string, CompiledQuery<Row>>();

  return async (db: Db, values: Values): Promise<Row[]> => {
    const names = Object.keys(values);
    const kind = `${isSqlite(db)} ${names.join()}`;
    const query =
      built.get(kind) ??
      build(db, Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Values).compile(db);
    built.set(kind, query);

    const given = values as Record<string, unknown>;
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? given[value.name] : value));
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
