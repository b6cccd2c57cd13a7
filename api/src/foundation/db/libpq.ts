import { execFile, type ExecFileOptions } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EnvError } from '#api/foundation/settings/env.ts';
import { codeOf } from '#api/foundation/settings/errors.ts';

/** The folder in which Debian installs each version. */
const VERSIONS_FOLDER = '/usr/lib/postgresql';

const CONNECT_TIMEOUT_S = '10';
/** The output of `pg_restore --list` has a line of about 60 bytes for each table, index and constraint. */
const MAX_OUTPUT_LENGTH = 8_000_000;

/** Source: https://www.postgresql.org/docs/current/libpq-envars.html */
const LIBPQ_VARIABLES = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  options: 'PGOPTIONS',
} as const;

/** Variables of our own environment that PostgreSQL's programs need. Our secrets are not among them. */
const ALLOWED_VARIABLES = /^(PG[A-Z]+|PATH|HOME|LANG|LC_[A-Z]+|TZ)$/;

/**
 * Makes the environment in which PostgreSQL's own programs connect to a database. An argument would show the password in
 * the list of processes. Members of the address that only our driver knows are left out.
 * @throws EnvError when it is no address
 */
export function libpqEnvironment(databaseUrl: string): Record<string, string> {
  const url = URL.parse(databaseUrl);
  if (!url) throw new EnvError('DATABASE_URL: is no address of a database');

  const given: Record<string, string | undefined> = {
    connect_timeout: CONNECT_TIMEOUT_S,
    host: decodeURIComponent(url.hostname).replaceAll(/[[\]]/g, ''),
    port: url.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    dbname: decodeURIComponent(url.pathname.slice(1)),
    ...Object.fromEntries(url.searchParams),
  };
  // Our driver's value for an encrypted connection without a check of the certificate, which is `require` for libpq.
  if (given['sslmode'] === 'no-verify') given['sslmode'] = 'require';

  const inherited = Object.entries(process.env).filter(([name]) => ALLOWED_VARIABLES.test(name));
  const ours = Object.entries(LIBPQ_VARIABLES).map(([name, variable]) => [variable, given[name]] as const);
  return Object.fromEntries(
    [...inherited, ...ours].flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );
}

/** Finds one of PostgreSQL's own programs: the newest that Debian has installed, else the one in PATH. */
export function findPostgresProgram(name: string): string {
  const versions = existsSync(VERSIONS_FOLDER)
    ? readdirSync(VERSIONS_FOLDER).sort((a, b) => Number(b) - Number(a))
    : [];
  return (
    versions.map((version) => join(VERSIONS_FOLDER, version, 'bin', name)).find((path) => existsSync(path)) ?? name
  );
}

/** Runs one of PostgreSQL's own programs. Returns what it printed; an error has its first complaint. */
export async function runPostgresProgram(name: string, args: string[], options: ExecFileOptions = {}): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(findPostgresProgram(name), args, {
      maxBuffer: MAX_OUTPUT_LENGTH,
      ...options,
      encoding: 'utf8',
    });
    return stdout;
  } catch (error) {
    throw describeFailure(name, error);
  }
}

/** Makes an error with one line of what a program complained of, or with the reason why it did not start. */
export function describeFailure(name: string, error: unknown): Error {
  if (codeOf(error) === 'ENOENT')
    return new EnvError(
      `${name} was not found: install PostgreSQL's client programs, of the version of its server or a newer one`,
      { cause: error },
    );
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  return new Error(firstError(said) ?? `${name} failed`, { cause: error });
}

function firstError(said: string): string | undefined {
  const lines = said.split('\n').map((line) => line.trim());
  return lines.find((line) => /\b(error|ERROR|FATAL):/.test(line)) ?? lines.find((line) => line !== '');
}
