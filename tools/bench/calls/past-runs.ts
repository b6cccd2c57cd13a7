import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const STEPS = 6;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The ages of the past runs: so young that the sweeper deletes nothing, and so old that no key works any more. */
const OLDEST_MS = 28 * DAY_MS;
const YOUNGEST_MS = 2 * DAY_MS;

/** As long as a real key. */
const JWS = 'x'.repeat(420);

/**
 * Inserts finished runs into a database, with one statement for each table. No server may use the database meanwhile.
 */
export async function addPastRuns(
  { databaseUrl, file }: { databaseUrl: string | undefined; file: string },
  count: number,
): Promise<void> {
  const statements = describePastRuns(count, databaseUrl === undefined ? SQLITE : POSTGRES);
  if (databaseUrl === undefined) return runOnSqlite(file, statements);

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of [...statements, 'vacuum analyze']) await client.query(statement);
  await client.end();
}

function runOnSqlite(file: string, statements: readonly string[]): void {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = OFF');
  database.exec('pragma cache_size = -1000000');
  for (const statement of statements) database.exec(statement);
  database.exec('pragma wal_checkpoint(TRUNCATE)');
  database.close();
}

/** The SQL that differs between the databases. */
interface Sql {
  /** A subquery with the numbers from 1 to `count`, in a column `n`. */
  numbers: (count: number) => string;
  /** An expression for a number as eight hexadecimal digits. */
  hex: (number: string) => string;
}

const SQLITE: Sql = {
  numbers: (count) =>
    `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`,
  hex: (number) => `printf('%08x', ${number})`,
};
const POSTGRES: Sql = {
  numbers: (count) => `(select generate_series(1::bigint, ${count}) as n)`,
  hex: (number) => `lpad(to_hex(${number}), 8, '0')`,
};

/**
 * The statements that insert the runs. Ids grow with `n`, like real ids, which begin with a time. Hashes are scattered:
 * a multiplication by an odd number modulo 2^32 gives each value once.
 */
function describePastRuns(count: number, { numbers, hex }: Sql): string[] {
  const hash = (prefix: string, n: string) => `'${prefix}-' || ${hex(`(${n} * 2654435761) % 4294967296`)}`;
  const id = (prefix: string, n: string) => `'01' || ${hex(n)} || ${hash(prefix, n)}`;
  const now = Date.now();
  const end = `(${now - OLDEST_MS} + (n % 1000000) * ${Math.floor((OLDEST_MS - YOUNGEST_MS) / 1_000_000)})`;
  const run = `((n - 1) / ${STEPS} + 1)`;
  const step = `(n - 1) % ${STEPS} + 1`;

  return [
    `insert into device (id, app_id, hwid_hmac, first_seen, last_seen)
     select ${id('device', 'n')}, 'main', ${hash('hwid', 'n')}, ${end}, ${end} from ${numbers(count)} as past`,
    `insert into run (id, app_id, device_id, zone_hmac, sealed_subject, os, steps_required, step, state, visitor_hmac, ip_hmac, created_at, updated_at, expires_at, completed_at)
     select ${id('run', 'n')}, 'main', ${id('device', 'n')}, 'zone', '${'s'.repeat(110)}', 'android', ${STEPS}, ${STEPS}, 'completed', ${hash('visitor', 'n')}, ${hash('network', '(n % 5000)')}, ${end}, ${end}, ${end}, ${end} from ${numbers(count)} as past`,
    `insert into step_attempt (id, run_id, step, advertiser_id, token_hash, sealed_context, state, issued_at, not_before, expires_at, returned_at, verified_at, provider_ref)
     select ${id('attempt', 'n')}, ${id('run', run)}, ${step}, 'linkvertise', ${hash('ticket', 'n')}, '${'c'.repeat(120)}', 'verified', ${end}, ${end}, ${end}, ${end}, ${end}, ${hash('proof', 'n')} from ${numbers(count * STEPS)} as past`,
    `insert into access_key (jti, app_id, device_id, run_id, kid, jws, issued_at, expires_at)
     select ${id('key', 'n')}, 'main', ${id('device', 'n')}, ${id('run', 'n')}, 'past', '${JWS}', ${end}, ${end} + ${DAY_MS} from ${numbers(count)} as past`,
  ];
}
