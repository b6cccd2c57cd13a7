import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { EnvError } from '#api/foundation/settings/env.ts';
import { describeFailure, findPostgresProgram, libpqEnvironment, runPostgresProgram } from './libpq.ts';
import { createNewFile } from './backup-file.ts';
import { OUR_TABLES } from './schema.ts';
import { messageOf } from '#api/foundation/settings/errors.ts';

const LOCK_TIMEOUT = '60s';

/** What belongs to another server: users, their rights, and texts that only the owner of an extension may write. */
const WITHOUT_OWNERS_OPTIONS = ['--no-owner', '--no-privileges', '--no-comments'];

/** The lock of Kysely's migrations. A server that starts meanwhile waits for it, and then finds all tables. */
const MIGRATION_LOCK = '3853314791062309107';

/** The first statements of a restore: they refuse a database that has anything in it. */
const BEGIN_SCRIPT = `
BEGIN;
SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
DO $$
DECLARE found text;
BEGIN
  SELECT c.oid::regclass::text INTO found
  FROM pg_class c
  WHERE c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
    AND c.relnamespace::regnamespace::text !~ '^pg_(toast|temp)'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relkind = 'S', 1 LIMIT 1;
  IF found IS NOT NULL THEN
    RAISE EXCEPTION 'it is not empty, it has %; make a new one with createdb, or remove this one with dropdb', found;
  END IF;
END $$;
`;

/** The statements after the tables. Without statistics the first queries on new tables are slow. */
const CHECK_SCRIPT = `
RESET search_path;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM kysely_migration) THEN
    RAISE EXCEPTION 'no version of this site has made what the file holds';
  END IF;
END $$;
ANALYZE;
\\echo ready
`;

export function backUpPostgres(databaseUrl: string, to: string): Promise<void> {
  return createNewFile(to, async (draft) => {
    const args = ['--format=custom', `--lock-wait-timeout=${LOCK_TIMEOUT}`, `--file=${draft}`];
    try {
      await runPostgresProgram('pg_dump', args, { env: libpqEnvironment(databaseUrl) });
    } catch (error) {
      throw new EnvError(`DATABASE_URL: the database could not be copied (${messageOf(error)})`, { cause: error });
    }
    await requireOurs(draft);
    // Reads the whole file again.
    await runPostgresProgram('pg_restore', ['--file=/dev/null', draft]);
  });
}

/**
 * Fills an empty PostgreSQL database with a backup, in one transaction. When this program, the connection or the server
 * dies before its end, the database is as empty as before.
 * @throws EnvError when the file is no backup of this site, or the database is not empty; then nothing was changed
 */
export async function restorePostgres(databaseUrl: string, from: string): Promise<void> {
  await requireOurs(from);
  // pg_restore turns the file into statements and psql runs them, so this program decides when to commit.
  const reader = spawn(findPostgresProgram('pg_restore'), [...WITHOUT_OWNERS_OPTIONS, '--file=-', from], {
    env: libpqEnvironment(databaseUrl),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const writer = spawn(
    findPostgresProgram('psql'),
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null', '--file=-'],
    { env: libpqEnvironment(databaseUrl), stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const [read, written] = [waitForExit('pg_restore', reader), waitForExit('psql', writer)];
  // psql may end before it has read everything; its exit code tells.
  writer.stdin.on('error', () => undefined);
  writer.stdin.write(BEGIN_SCRIPT);
  reader.stdout.pipe(writer.stdin, { end: false });
  // Without a reader, pg_restore would wait without limit.
  written.finally(() => reader.kill()).catch(() => undefined);
  read.then(
    () => writer.stdin.write(CHECK_SCRIPT),
    () => writer.stdin.end(),
  );
  // Sent once everything is done. If this program dies before, psql rolls back at the end of its input.
  writer.stdout.once('data', () => writer.stdin.end('COMMIT;\n'));

  const [ofRead, ofWritten] = await Promise.allSettled([read, written]);
  const failed = [ofWritten, ofRead].find((outcome) => outcome.status === 'rejected');
  if (failed) throw toRestoreError(from, failed.reason);
}

/** @throws EnvError when a file is no backup of this site */
async function requireOurs(file: string): Promise<void> {
  try {
    const contents = await runPostgresProgram('pg_restore', ['--list', file]);
    const missing = OUR_TABLES.find((name) => !new RegExp(` TABLE DATA \\S+ ${name} `).test(contents));
    if (missing !== undefined) throw new Error(`it has no table ${missing}`);
  } catch (error) {
    if (error instanceof EnvError) throw error;
    throw new EnvError(`${file} is no backup of this site's PostgreSQL (${messageOf(error)})`, { cause: error });
  }
}

async function waitForExit(name: string, child: ChildProcess): Promise<void> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw describeFailure(name, error);
  })) as [number | null];
  if (code !== 0) throw describeFailure(name, Object.assign(new Error(`${name} ended`), { stderr }));
}

/** Says why nothing was restored. A connection that is lost does not say whether the commit came before. */
function toRestoreError(from: string, reason: unknown): EnvError {
  if (reason instanceof EnvError) return reason;
  const why = messageOf(reason).replace(/^psql:<stdin>:\d+: /, '');
  const rest = /error:/i.test(why) ? 'nothing was changed' : 'see whether the database is still empty';
  return new EnvError(`${from} could not be put into the database (${why}); ${rest}`, { cause: reason });
}
