import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp, restore } from '../../api/src/foundation/db/backup.ts';
import { openServerDb } from '../../api/src/foundation/db/open-server-db.ts';
import { postgresPrograms } from '../machine/postgres.ts';
import { openTestGroup } from './test/open-test-group.ts';

const TEST_TIMEOUT_MS = 90_000;
const [, COMMAND = ''] = /sudo -u postgres createdb (.*)$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];

test(
  'a backup is restored into the database that docs/operations.md creates beside the live one',
  async () => {
    const { folder, group } = await openTestGroup();
    const { address, passFile } = group.primary();
    const live = group.urlThrough([address]);
    const { close } = await openServerDb({ databaseUrl: live, dataDir: join(folder, 'web') });
    await close();
    const copy = join(folder, 'copy');
    await backUp({ DATA_DIR: join(folder, 'web'), DATABASE_URL: live }, copy);

    const [host = '', port = ''] = address.split(':');
    const words = COMMAND.split(' ');
    execFileSync(join(postgresPrograms() ?? '', 'createdb'), ['-h', host, '-p', port, '-U', 'postgres', ...words], {
      env: { PGPASSFILE: passFile },
    });
    const name = words.at(-1) ?? '';
    const beside = new URL(live);
    beside.pathname = `/${name}`;
    await restore({ DATA_DIR: join(folder, 'web'), DATABASE_URL: beside.href }, copy);

    const tables = `select tablename from pg_tables where schemaname = 'public' order by tablename`;
    const [restored, left] = await Promise.all(
      [name, 'site'].map((database) => group.primary().query(tables, { database })),
    );
    expect(restored).toEqual(left);
    expect(restored).toContainEqual({ tablename: 'audit_event' });
  },
  TEST_TIMEOUT_MS,
);
