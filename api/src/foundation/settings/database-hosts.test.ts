import pg from 'pg';
import { expect, test } from 'vitest';
import { listDatabaseHosts } from './database-hosts.ts';
import { libpqEnvironment } from '#api/foundation/db/libpq.ts';
import { parseEnv } from './env.ts';

test.each([
  ['postgres://ada:word@one/site', ['postgres://ada:word@one/site']],
  ['postgres:///site?host=/run/postgresql', ['postgres:///site?host=/run/postgresql']],
  [
    'postgresql://ada:w%40rd,s@one:5432,[::1]:5433,three/site?target_session_attrs=read-write',
    [
      'postgresql://ada:w%40rd,s@one:5432/site?target_session_attrs=read-write',
      'postgresql://ada:w%40rd,s@[::1]:5433/site?target_session_attrs=read-write',
      'postgresql://ada:w%40rd,s@three/site?target_session_attrs=read-write',
    ],
  ],
])('the hosts of %s', (url, urls) => {
  expect(listDatabaseHosts(url)).toEqual(urls);
});

test('accepts several hosts with target_session_attrs=read-write', () => {
  const DATABASE_URL = 'postgres://ada:word@one:5432,two:5432/site?target_session_attrs=read-write';

  expect(parseEnv({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL);
});

test.each([
  'postgres://ada:secret-word@one,two/site',
  'postgres://ada:secret-word@one,two/site?target_session_attrs=any',
  'postgres://ada:secret-word@one,/site?target_session_attrs=read-write',
  'postgres://ada:secret-word@one:port,two/site?target_session_attrs=read-write',
])('rejects an invalid host list without the password in the error: %s', (DATABASE_URL) => {
  const start = () => parseEnv({ DATABASE_URL });

  expect(start).toThrow('DATABASE_URL: several hosts are written as host:port,host:port');
  expect(start).not.toThrow('secret-word');
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
