import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backUp, restore } from '../../api/src/foundation/db/backup.ts';
import { openServerDb } from '../../api/src/foundation/db/open-server-db.ts';
import { postgresPrograms, startPostgres } from '../machine/postgres.ts';
import { queryPostgres } from '../machine/query-postgres.ts';

const TEST_TIMEOUT_MS = 90_000;
const [, COMMAND = ''] = /sudo -u postgres createdb (.*)$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];

test(
  'a backup is restored into the database that docs/operations.md creates beside the live one',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'restore-'));
    const postgres = await startPostgres({ isDurable: false });
    onTestFinished(async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true });
    });
    await queryPostgres(postgres.url, `create role site login password 'site'`);
    await queryPostgres(postgres.url, 'create database site owner site');
    const urlOf = (database: string) => {
      const url = new URL(postgres.url);
      return Object.assign(url, { username: 'site', password: 'site', pathname: `/${database}` }).href;
    };
    const [data, copy] = [join(folder, 'web'), join(folder, 'copy')];
    const { close } = await openServerDb({ databaseUrl: urlOf('site'), dataDir: data });
    await close();
    await backUp({ DATA_DIR: data, DATABASE_URL: urlOf('site') }, copy);

    const words = COMMAND.split(' ');
    const name = words.at(-1) ?? '';
    execFileSync(join(postgresPrograms() ?? '', 'createdb'), ['--maintenance-db', postgres.url, ...words]);
    await restore({ DATA_DIR: data, DATABASE_URL: urlOf(name) }, copy);

    const tables = `select tablename from pg_tables where schemaname = 'public' order by tablename`;
    const [restored, left] = await Promise.all(
      [name, 'site'].map((database) => queryPostgres(urlOf(database), tables)),
    );
    expect(restored).toEqual(left);
    expect(restored).toContainEqual({ tablename: 'audit_event' });
  },
  TEST_TIMEOUT_MS,
);
