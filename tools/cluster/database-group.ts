import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ensurePatroni } from '../machine/ensure-installed.ts';
import { createDatabaseHost, HOST_FILES, type DatabaseHost } from './database-host.ts';

const runFile = promisify(execFile);

/** The names that the files of `deploy/` have. */
const HOST_NAMES = ['pg1', 'pg2', 'pg3'];
const WHOLE_TIMEOUT_MS = 120_000;
const POLL_MS = 100;

/** Older ones lose confirmed writes with etcd 3. */
const OLDEST = '4.0.7';
const NEEDED = {
  ttl: 20,
  loop_wait: 1,
  retry_timeout: 3,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  synchronous_node_count: 1,
  failsafe_mode: true,
  use_pg_rewind: true,
};

/** A member as Patroni lists it. */
interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
}

export type DatabaseGroup = Awaited<ReturnType<typeof openDatabaseGroup>>;

/**
 * Starts PostgreSQL, Patroni and etcd with the files of `deploy/` as on three hosts, each of which has an address of this
 * machine.
 * @param folder the folder of the cluster, which the user of PostgreSQL may enter
 */
export async function openDatabaseGroup(folder: string) {
  const unpacked = resolve(await ensurePatroni());
  // Another cluster on this machine has other addresses, with the same ports.
  const network = `127.${1 + (process.pid % 254)}.${Math.floor(Math.random() * 256)}`;
  const addresses = Object.fromEntries(HOST_NAMES.map((name, nth) => [name, `${network}.${nth + 1}`]));
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets);
  execFileSync(resolve(HOST_FILES, 'make-secrets.sh'), HOST_NAMES, { cwd: secrets, stdio: 'pipe' });
  // As Patroni of Debian 13 checks them; this machine's Python may ask for less.
  const checked = ['-x509_strict', '-CAfile', 'ca.crt', ...HOST_NAMES.map((name) => `${name}/host.crt`)];
  execFileSync('openssl', ['verify', ...checked], { cwd: secrets, stdio: 'pipe' });
  const hosts = await Promise.all(HOST_NAMES.map((name) => createDatabaseHost(name, { folder, addresses, unpacked })));

  /** The hosts as the first of them lists them that answers; none when no one does. */
  async function members(): Promise<Member[]> {
    const asked = hosts.map(async ({ ask }) => (await ask<{ members: Member[] }>('/cluster')).members);
    return Promise.any(asked).catch(() => []);
  }

  async function hostOf(role: Member['role']): Promise<DatabaseHost | undefined> {
    const found = (await members()).find((each) => each.role === role && /running|streaming/.test(each.state));
    return hosts.find(({ name }) => name === found?.name);
  }

  /** Waits until there is what is asked for. */
  async function until<Found>(what: string, find: () => Promise<Found | undefined | false>): Promise<Found> {
    for (const end = Date.now() + WHOLE_TIMEOUT_MS; ; await wait(POLL_MS)) {
      const found = await find().catch(() => undefined);
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end)
        throw new Error(`${what}: not within ${WHOLE_TIMEOUT_MS} ms; ${JSON.stringify(await members())}`);
    }
  }

  const leader = () => until('a primary', () => hostOf('leader'));

  /** Waits until all hosts are there and on one timeline. */
  const untilWhole = () =>
    until('a whole cluster', async () => {
      const all = await members();
      const isWhole =
        all.length === hosts.length &&
        all.some(({ role }) => role === 'sync_standby') &&
        all.every(({ role, state }) => state === (role === 'leader' ? 'running' : 'streaming')) &&
        new Set(all.map(({ timeline }) => timeline)).size === 1;
      // etcd lists a host that was killed for as long as it may be silent.
      const primary = isWhole && (await hostOf('leader'));
      const sql = `select 1 from pg_stat_replication where state = 'streaming'`;
      return primary && (await primary.query(sql)).length === hosts.length - 1 && primary;
    });

  /** Waits until every host has what is confirmed now. */
  async function untilReplayed(): Promise<void> {
    const primary = await leader();
    const [now] = await primary.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
    const sql = `select pg_last_wal_replay_lsn() >= '${now?.lsn}' as "hasAll"`;
    for (const host of hosts.filter((each) => each !== primary))
      await until(
        `what is confirmed on ${host.name}`,
        async () => (await host.query<{ hasAll: boolean }>(sql))[0]?.hasAll,
      );
  }

  /** Runs the operators' command. */
  async function patronictl(...words: string[]): Promise<string> {
    const [command, args] = hosts[0]?.patronictl ?? ['', []];
    return (await runFile(command, [...args, ...words])).stdout;
  }

  async function close(): Promise<void> {
    await Promise.all(hosts.map((host) => host.kill()));
    await Promise.all(hosts.map(({ etcdLines }) => etcdLines.close()));
  }

  try {
    for (const host of hosts) host.start();
    await untilWhole();
  } catch (error) {
    const said = hosts.map(({ patroni }) => patroni.said().slice(-2000)).join('\n');
    await close();
    throw new Error(`The database did not start:\n${said}`, { cause: error });
  }

  return {
    hosts,
    /** The certificate of the authority. */
    authority: join(secrets, 'ca.crt'),
    until,
    leader,
    /** The standby without which nothing is confirmed. It alone may be promoted. */
    syncStandby: () => until('a standby that confirms', () => hostOf('sync_standby')),
    standby: () => until('another standby', () => hostOf('replica')),
    untilWhole,
    untilReplayed,
    patronictl,
    close,

    untilLeaderIsNot: (former: DatabaseHost) =>
      until('another primary', async () => {
        const host = await hostOf('leader');
        return host && host !== former && (await host.isPrimary()) && host;
      }),

    /** Has the primary hand over to its synchronous standby. */
    async switchOver(from: DatabaseHost, to: DatabaseHost): Promise<void> {
      const said = await patronictl('switchover', 'site', '--leader', from.name, '--candidate', to.name, '--force');
      if (!said.includes('Successfully')) throw new Error(`${from.name} did not hand over to ${to.name}:\n${said}`);
    },

    /** What the live configuration has otherwise than confirmed writes need it. */
    async unsafeSettings(): Promise<string[]> {
      const [host] = hosts as [DatabaseHost];
      const { postgresql, ...live } = await host.ask<Record<string, unknown> & { postgresql: object }>('/config');
      const { patroni } = await host.ask<{ patroni: { version: string } }>('/patroni');
      const found: Record<string, unknown> = { ...live, ...postgresql };
      const isNew = patroni.version.localeCompare(OLDEST, 'en', { numeric: true }) >= 0;
      return [
        ...(isNew ? [] : [`Patroni is ${patroni.version}`]),
        ...Object.entries(NEEDED)
          .filter(([name, value]) => found[name] !== value)
          .map(([name]) => `${name} is ${JSON.stringify(found[name])}`),
      ];
    },
  };
}
