import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { unprivilegedUser } from '../machine/postgres.ts';
import { queryPostgres } from '../machine/query-postgres.ts';
import type { DatabaseGroup } from './database-group.ts';
import type { DatabaseHost } from './database-host.ts';
import { joinLines, openLines } from './database-line.ts';
import { createSandbox } from './sandbox.ts';

/** What operators install on each host of a server, with the addresses of theirs. */
const CONFIG_FILE = 'deploy/haproxy/haproxy.cfg';
const SHIPPED_BIND = '127.0.0.1:5000';
const SHIPPED_HOSTS = /10\.0\.0\.2(\d):5432/g;
/** This user is none that could become another one. */
const USERS = /^ +(user|group) .*\n/gm;

export type Haproxy = Awaited<ReturnType<typeof startHaproxy>>;

/**
 * Starts the HAProxy of one server. Each of its lines to the hosts of the database can break.
 * @param folder the folder of the cluster, which the user of PostgreSQL may enter
 */
export async function startHaproxy(folder: string, name: string, { hosts, authority, until }: DatabaseGroup) {
  const own = join(folder, name);
  mkdirSync(own);
  const port = await freePort();
  const lines = await Promise.all(hosts.map(({ address }) => openLines([`${address}:5432`, `${address}:8008`])));
  const config = readFileSync(CONFIG_FILE, 'utf8')
    .replace(SHIPPED_BIND, `127.0.0.1:${port}`)
    .replaceAll(USERS, '')
    .replaceAll(SHIPPED_HOSTS, (_, nth) => {
      const [database, patroni] = lines[Number(nth) - 1]?.addresses ?? [];
      return `${database} port ${patroni?.split(':')[1]}`;
    });
  writeFileSync(join(own, 'haproxy.cfg'), config);
  writeFileSync(join(own, 'database-ca.pem'), readFileSync(authority));
  const program = createSandbox(
    { name, files: { '/etc/haproxy': own }, data: {}, env: {}, owner: unprivilegedUser() },
    ['/usr/sbin/haproxy', '-db', '-f', '/etc/haproxy/haproxy.cfg'],
    join(folder, `${name}.log`),
  );
  program.start();
  const url = `postgres://site:${new URL(hosts[0]?.siteUrl ?? '').password}@127.0.0.1:${port}/site?sslmode=verify-full&sslrootcert=${authority}`;
  await until('an address of the primary', () => queryPostgres(url, 'select'));

  const all = joinLines(lines);
  return {
    /** The one address of the database for the server. */
    url,
    ...all,
    lineTo: (host: DatabaseHost) => joinLines(lines.filter((_, nth) => hosts[nth] === host)),
    async close(): Promise<void> {
      await program.kill();
      await all.close();
    },
  };
}
