import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DatabaseGroup } from '../../cluster/database-group.ts';
import type { DatabaseHost } from '../../cluster/database-host.ts';
import { ensurePackages } from '../../machine/ensure-installed.ts';

const runFile = promisify(execFile);

/** PostgreSQL's log has moments as exact as this. */
const MOMENT_MS = 1100;
const PAST = '/var/lib/postgresql/past';

/**
 * Switches pgBackRest on as docs/operations.md says, and brings a moment back beside the cluster.
 * @returns the tables that were made before, at and after that moment, as far as they are there
 */
export async function bringBack(databases: DatabaseGroup): Promise<string[]> {
  await ensurePackages('pgbackrest');
  const docs = readFileSync('docs/operations.md', 'utf8');
  const [, config = ''] = /pgbackrest\.conf <<'END'\n(.*?)END$/ms.exec(docs) ?? [];
  const [, words = ''] = /^patronictl edit-config --force (--pg archive_mode.*)$/m.exec(docs) ?? [];
  for (const host of databases.hosts) host.configure('pgbackrest.conf', `${config}log-level-file=off\n`);
  const settings = [...words.matchAll(/--pg (?:'(.*?)'|(\S+))/g)].flatMap(([, quoted, plain]) => [
    '--pg',
    quoted ?? plain ?? '',
  ]);
  await databases.patronictl('edit-config', 'site', '--force', ...settings);
  await databases.patronictl('restart', 'site', '--force');
  const primary = await databases.untilWhole();
  await run(primary, 'pgbackrest --stanza=site stanza-create && pgbackrest --stanza=site --type=full backup');

  await primary.query('create table first (id int)');
  await wait(MOMENT_MS);
  const [row] = await primary.query<{ now: string }>('select now()::text as now');
  await wait(MOMENT_MS);
  await primary.query('create table second (id int); select pg_switch_wal()');
  await run(primary, 'pgbackrest --stanza=site check');

  const host = await databases.standby();
  const options = `-p 5999 -c listen_addresses= -c archive_mode=off -c synchronous_standby_names=`;
  const made = await run(
    host,
    `pgbackrest --stanza=site --pg1-path=${PAST} --type=time --target='${row?.now}' --target-action=promote restore >&2
     pg_ctl -D ${PAST} -w -o '${options}' start >&2
     until [ "$(psql -p 5999 -Atc 'select pg_is_in_recovery()')" = f ]; do sleep 0.1; done
     psql -p 5999 -Atc "select relname from pg_class where relname in ('first', 'second')"
     pg_ctl -D ${PAST} -m immediate stop >&2
     rm -r ${PAST}`,
  );
  await primary.query('drop table first, second');
  return made.split('\n').filter(Boolean);
}

async function run(host: DatabaseHost, line: string): Promise<string> {
  const { stdout } = await runFile(...host.shell(line));
  return stdout;
}
