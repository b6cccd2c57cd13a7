import pg from 'pg';
import { expect, test } from 'vitest';
import { libpqEnvironment } from '#api/foundation/db/libpq.ts';
import { parseEnv } from './env.ts';

test.each([
  'postgres://ada:secret-word@one:5432,two:5432/site',
  'postgres://ada:secret-word@one,two/site?target_session_attrs=read-write',
  'postgres://ada:secret-word@/site?host=one,two',
  'postgres://ada:secret-word@/site?sslmode=require&host=one%2Ctwo',
])('a list of hosts is refused, without the password in the error, and HAProxy is named: %s', (DATABASE_URL) => {
  const start = () => parseEnv({ DATABASE_URL });

  expect(start).toThrow(
    'DATABASE_URL: must name one host; HAProxy leads it to the primary of several (docs/deploy.md)',
  );
  expect(start).not.toThrow('secret-word');
});

test('accepts a comma in a user or a password', () => {
  const DATABASE_URL = 'postgres://a,b:c,d@one/site';

  expect(parseEnv({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});

test.each([
  'postgres://ada:secret@word@one/site',
  'postgres://ada:secret-word%@one/site',
  'postgres://ada:secret-word%zz@one/site',
  'postgres://ada:secret-word%ff@one/site',
  'postgres://ada:secret-word/x@one/site',
  'postgres://ada:secret-word?x@one/site',
  'postgres://ada:secret-word#x@one/site',
])('rejects an ambiguous address without the password in the error: %s', (DATABASE_URL) => {
  const start = () => parseEnv({ DATABASE_URL });

  expect(start).toThrow('DATABASE_URL: needs @ / ? # % in a user or a password written as %40 %2F %3F %23 %25');
  expect(start).not.toThrow('secret');
});

test('a password with any characters reaches the PostgreSQL programs and the driver unchanged', () => {
  const password = 'a@b%c/d?e#f:g h,i';
  const DATABASE_URL = parseEnv({
    DATABASE_URL: `postgres://ada:${encodeURIComponent(password)}@one/site`,
  }).DATABASE_URL;

  expect(libpqEnvironment(DATABASE_URL ?? '')['PGPASSWORD']).toBe(password);
  expect(new pg.Client({ connectionString: String(DATABASE_URL) }).password).toBe(password);
});
