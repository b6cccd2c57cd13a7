import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDatabaseHost, type DatabaseHost, type Passwords } from './database-host.ts';

const runFile = promisify(execFile);

/** The command with which operators make a standby the primary. */
const PROMOTE_SCRIPT = 'deploy/postgresql/promote.sh';
/** The names that `deploy/postgresql/site.conf` has. */
const HOST_NAMES = ['pg1', 'pg2', 'pg3'];
const COMMAND_TIMEOUT_MS = 30_000;
/** No process listens there. */
const UNREACHABLE_HOST = '127.0.0.1:1';

/**
 * Starts a primary and two standbys with the settings of `deploy/`, one of which has to confirm each commit.
 * @param folder the folder of the cluster, which the user of PostgreSQL may enter
 */
export async function openDatabaseGroup(folder: string) {
  const word = () => randomBytes(16).toString('hex');
  const passwords: Passwords = { postgres: word(), replicator: word(), site: word() };
  const hosts: DatabaseHost[] = [];
  for (const name of HOST_NAMES) hosts.push(await createDatabaseHost(folder, name, passwords));
  let [primary, ...standbys] = hosts as [DatabaseHost, ...DatabaseHost[]];

  /** Waits until so many standbys confirm commits. */
  async function untilFollowed(count: number): Promise<void> {
    const until = Date.now() + COMMAND_TIMEOUT_MS;
    const ask = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'`;
    while ((await primary.query(ask)).length < count) {
      if (Date.now() > until) throw new Error(`Fewer than ${count} standbys follow:\n${primary.said().slice(-2000)}`);
      await wait(50);
    }
  }

  async function close(): Promise<void> {
    await Promise.all(hosts.map((host) => host.kill()));
  }

  try {
    await primary.initialise();
    await primary.start();
    // There are no standbys yet that could confirm this.
    for (const sql of [
      `create role replicator login replication password '${passwords.replicator}'`,
      `create role site login password '${passwords.site}'`,
      'create database site owner site',
    ])
      await primary.query(sql, { isConfirmed: false });
    await Promise.all(standbys.map((standby) => standby.copyFrom(primary)));
    await Promise.all(standbys.map((standby) => standby.start()));
    await untilFollowed(standbys.length);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    /** The address of the database for servers that reach its hosts at these addresses, in the order of `hosts`. */
    urlThrough: (addresses: readonly string[]) =>
      `postgres://site:${passwords.site}@${addresses.join()}/site?target_session_attrs=read-write`,
    hosts,
    primary: () => primary,
    standbys: () => standbys as readonly DatabaseHost[],
    untilFollowed,

    /** Has the operators' command choose and promote a standby. Returns what it prints. */
    async promote(): Promise<string> {
      const env = { ...process.env, PGPASSFILE: primary.passFile };
      const { stdout } = await runFile(
        PROMOTE_SCRIPT,
        standbys.map(({ address }) => address),
        { env },
      );
      const former = primary;
      const chosen = standbys.find(({ address }) => stdout.includes(`${address} is the primary`));
      if (!chosen) throw new Error(`No standby was promoted:\n${stdout}`);
      standbys = [...standbys.filter((host) => host !== chosen), former];
      primary = chosen;
      return stdout;
    },

    /** Whether the operators' command changes nothing when one of the hosts that it is given cannot be reached. */
    async refusesUnreachable(): Promise<boolean> {
      const [standby] = standbys as [DatabaseHost, ...DatabaseHost[]];
      const env = { ...process.env, PGPASSFILE: primary.passFile };
      const said = await runFile(PROMOTE_SCRIPT, [standby.address, UNREACHABLE_HOST], { env }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      );
      const [left] = await standby.query<{ line: string }>(`select current_setting('primary_conninfo') as line`);
      return said.includes(`${UNREACHABLE_HOST} cannot be reached; nothing was changed`) && left?.line !== '';
    },

    /** Makes a host that was killed a standby of the present primary. */
    async rebuild(host: DatabaseHost): Promise<void> {
      await host.copyFrom(primary);
      await host.start();
    },

    close,
  };
}
