import { expect, onTestFinished, test } from 'vitest';
import { libpqEnvironment, runPostgresProgram } from './libpq.ts';

/** Only what the address gives, without what this process inherited. */
function ours(address: string): Record<string, string> {
  return Object.fromEntries(Object.entries(libpqEnvironment(address)).filter(([name]) => name.startsWith('PG')));
}

test('a database address is passed as environment variables, which are decoded and have no brackets', () => {
  expect(ours('postgres://the%40site:p%40ss%3Aword@[::1]:6432/the%20keys?sslmode=verify-full')).toEqual({
    PGUSER: 'the@site',
    PGPASSWORD: 'p@ss:word',
    PGHOST: '::1',
    PGPORT: '6432',
    PGDATABASE: 'the keys',
    PGSSLMODE: 'verify-full',
    PGCONNECT_TIMEOUT: '10',
  });
});

test('driver-only parameters are omitted, and the value for an unverified certificate is translated', () => {
  expect(ours('postgres:///keys?host=/run/postgresql&sslmode=no-verify&query_timeout=5')).toEqual({
    PGHOST: '/run/postgresql',
    PGDATABASE: 'keys',
    PGSSLMODE: 'require',
    PGCONNECT_TIMEOUT: '10',
  });
});

test('secrets of the server are not passed to other programs', () => {
  process.env['HWID_PEPPER'] = 'a secret';
  onTestFinished(() => void delete process.env['HWID_PEPPER']);

  const environment = libpqEnvironment('postgres://site@db.example/keys');

  expect(Object.values(environment)).not.toContain('a secret');
  expect(environment['PATH']).toBe(process.env['PATH']);
});

test('a missing program is named, with what to do', async () => {
  await expect(runPostgresProgram('pg_no_such_program', [])).rejects.toThrow(
    'pg_no_such_program was not found: install PostgreSQL',
  );
});

test('the first error that a program prints is given, not a warning before it', async () => {
  const complain = 'echo "warning: slow" >&2; echo "pg_dump: error: it is full" >&2; exit 1';

  await expect(runPostgresProgram('sh', ['-c', complain])).rejects.toThrow('pg_dump: error: it is full');
});
