import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseHost } from '../../cluster/database-host.ts';
import type { ConnectionFault } from '../../cluster/database-line.ts';
import { untilReady, type Cluster } from '../../cluster/open-cluster.ts';
import { startPgbouncer } from '../../cluster/pgbouncer.ts';
import type { Answer } from '../world/client.ts';
import { createPlayer } from '../players/player.ts';
import type { World } from '../world/world.ts';
import type { Ledger } from './ledger.ts';
import { bringBack } from './point-in-time.ts';

const QUIET_MS = 1500;
/** How long a server may need to find the database again once it is there. */
const RECOVERY_MS = 5000;
/** How long a server is cut off: longer than its statements take. */
const PARTITION_MS = 9000;
/** How long a server may take to end. */
const STOP_TIMEOUT_MS = 30_000;
/** How long an answer is waited for at most. */
const TIMEOUT_MS = 15_000;
/** How long etcd keeps the key of a primary of which it hears nothing. */
const TTL_MS = 20_000;
const FROZEN_MS = 40_000;
/** How much longer the Patroni of a standby hangs than a promotion takes. */
const HELD_BACK_MS = 2000;
/** How long nobody may write when a host of the database dies or hangs, and when the primary hands over. */
const FAILOVER_MS = 25_000;
const SWITCHOVER_MS = 5000;
/** More than a small database with its log needs until it is full. */
const SMALL_DISK = 700 * 1024 ** 2;

const CLOCK_OFF_MS = 5 * 60_000;

interface EventContext {
  cluster: Cluster;
  world: World;
  ledger: Ledger;
  expect: (isSo: boolean, what: string) => void;
}

export interface Event {
  name: string;
  /** Whether `npm test` plays it as well. */
  isShort?: boolean;
  /** Whether no request may fail meanwhile. */
  isUnnoticed?: boolean;
  /** How long nobody may write; undefined where the database itself is away for longer. */
  maxSilenceMs?: number;
  play: (site: EventContext) => Promise<void>;
}

/** What may happen to a cluster. Each leaves it whole: two servers, and three hosts of the database. */
export const CLUSTER_EVENTS: readonly Event[] = [
  {
    name: 'the servers are restarted one after another',
    isShort: true,
    isUnnoticed: true,
    play: ({ cluster }) => cluster.restartServers(),
  },
  {
    name: 'a server is killed and started again at once',
    isShort: true,
    async play({ cluster, world }) {
      const server = world.random.pick(cluster.servers);
      await server.kill();
      await server.start();
      await untilReady(server.url);
    },
  },
  {
    name: 'a server is killed and stays away, and the other one goes on',
    async play({ cluster, world, expect }) {
      const server = world.random.pick(cluster.servers);
      await server.kill();
      for (let nth = 0; nth < 20; nth++) {
        const { status } = await fetchStatus(cluster.url, `/key-system-1?hwid=device-${nth}&zone=zone`);
        expect(status === 200, `with one server left a page was answered ${status}`);
      }
      await server.start();
      await untilReady(server.url);
      await wait(QUIET_MS);
    },
  },
  partition('refused', 'a server alone is refused by the database'),
  partition('silent', 'a server alone hears nothing of the database'),
  {
    name: 'a server is told to end while it hears nothing of the database',
    async play({ cluster: { servers }, world, expect }) {
      const server = world.random.pick(servers);
      await server.database.break('silent');
      void fetchStatus(server.url, stateOf('last'));
      const toldAt = Date.now();
      await server.stop();
      expect(Date.now() - toldAt < STOP_TIMEOUT_MS, `it ended after ${Date.now() - toldAt} ms`);
      await server.database.mend();
      await server.start();
      await untilReady(server.url);
    },
  },
  {
    name: 'a standby is killed and comes back',
    isUnnoticed: true,
    maxSilenceMs: SWITCHOVER_MS,
    async play({ cluster: { databases }, world }) {
      const standby = await (world.random.int(2) === 0 ? databases.syncStandby() : databases.standby());
      await standby.kill();
      await wait(QUIET_MS);
      standby.start();
    },
  },
  {
    name: 'the primary hands over under load',
    maxSilenceMs: SWITCHOVER_MS,
    async play({ cluster: { databases } }) {
      const [leader, heir] = [await databases.leader(), await databases.syncStandby()];
      await databases.switchOver(leader, heir);
      await databases.untilLeaderIsNot(leader);
    },
  },
  {
    name: 'the host of the primary is killed and comes back',
    isShort: true,
    maxSilenceMs: FAILOVER_MS,
    async play({ cluster: { databases } }) {
      const former = await databases.leader();
      await former.kill();
      await databases.untilLeaderIsNot(former);
      former.start();
    },
  },
  {
    name: 'the former primary is started with more than anybody has confirmed, and the new one is killed',
    maxSilenceMs: FAILOVER_MS,
    async play({ cluster: { databases } }) {
      const former = await databases.leader();
      await Promise.all(databases.hosts.filter((host) => host !== former).map((host) => host.patroni.freeze()));
      await former.query(
        'set synchronous_commit = local; create table unconfirmed as select generate_series(1, 20000)',
      );
      await former.kill();
      for (const host of databases.hosts) host.patroni.wake();
      const heir = await databases.untilLeaderIsNot(former);
      former.start();
      await databases.untilWhole();
      const [left] = await former.query<{ is: boolean }>(`select to_regclass('unconfirmed') is not null as is`);
      if (left?.is) throw new Error('The former primary kept what nobody has confirmed');
      await heir.kill();
      await databases.untilLeaderIsNot(heir);
      heir.start();
    },
  },
  {
    name: 'the whole primary hangs and wakes up, and the new one is killed next',
    maxSilenceMs: FAILOVER_MS,
    async play({ cluster: { databases } }) {
      const former = await databases.leader();
      await former.patroni.freeze();
      const frozenAt = Date.now();
      const heir = await databases.untilLeaderIsNot(former);
      await wait(frozenAt + FROZEN_MS - Date.now());
      former.patroni.wake();
      // Until then the third host is alone, and alone nobody confirms.
      await databases.untilWhole();
      await heir.kill();
      await databases.untilLeaderIsNot(heir);
      heir.start();
    },
  },
  {
    name: 'the Patroni of the primary hangs, and that of a standby stays with it after the promotion',
    maxSilenceMs: FAILOVER_MS,
    async play({ cluster: { databases }, expect }) {
      const [former, heir, other] = [
        await databases.leader(),
        await databases.syncStandby(),
        await databases.standby(),
      ];
      await former.patroni.freeze('own');
      await wait(TTL_MS / 2);
      await other.patroni.freeze('own');
      await databases.until('a promotion', heir.isPrimary);
      await wait(HELD_BACK_MS);
      const [follows] = await other.query<{ host: string }>(
        `select sender_host as host from pg_stat_wal_receiver where status = 'streaming'`,
      );
      // Otherwise nothing was tried.
      expect(follows?.host === former.name, `the standby that hangs followed ${follows?.host}, not ${former.name}`);
      other.patroni.wake();
      await databases.until('the other standby at the new primary', async () => {
        const [row] = await other.query<{ host: string }>('select sender_host as host from pg_stat_wal_receiver');
        return row?.host === heir.name;
      });
      former.patroni.wake();
    },
  },
  {
    name: 'the primary is cut off from etcd',
    maxSilenceMs: FAILOVER_MS,
    async play({ cluster: { databases }, world }) {
      const { etcdLines } = await databases.leader();
      await etcdLines.break(world.random.pick(['refused', 'silent']));
      await wait(TTL_MS + QUIET_MS);
      await etcdLines.mend();
    },
  },
  {
    name: 'the servers are cut off from the primary, which lives',
    async play({ cluster: { databases, servers }, world }) {
      const leader = await databases.leader();
      const how = world.random.pick<ConnectionFault>(['refused', 'silent']);
      const lines = servers.map(({ database }) => database.lineTo(leader));
      for (const line of lines) await line.break(how);
      await wait(PARTITION_MS);
      for (const line of lines) await line.mend();
    },
  },
  {
    name: 'a standby that lacks something is there alone',
    async play({ cluster: { databases }, ledger, expect }) {
      const [leader, heir, other] = [
        await databases.leader(),
        await databases.syncStandby(),
        await databases.standby(),
      ];
      // etcd lives, so Patroni may decide.
      await other.patroni.kill();
      await wait(QUIET_MS);
      await Promise.all([leader.patroni.kill(), heir.patroni.kill()]);
      other.patroni.start();
      await databases.until('the standby alone', () => other.query('select'));
      const before = ledger.size();
      await wait(TTL_MS + QUIET_MS);
      expect(
        !(await other.isPrimary()) && ledger.size() === before,
        'a standby was promoted that lacks what was confirmed',
      );
      heir.patroni.start();
      await databases.untilLeaderIsNot(leader);
      leader.patroni.start();
    },
  },
  {
    name: 'both standbys are killed, so writes are refused',
    async play({ cluster: { url, databases }, world, ledger, expect }) {
      const leader = await databases.leader();
      const standbys = databases.hosts.filter((host) => host !== leader);
      await Promise.all(standbys.map((host) => host.kill()));
      const before = ledger.size();
      const read = await fetchStatus(url, stateOf(world.random.hex(8)));
      expect(read.status === 200, `without standbys a read was answered ${read.status}`);
      const { status, headers } = await passCaptcha(world);
      expect(status === 503 && headers['retry-after'] !== undefined, `without standbys a write was answered ${status}`);
      expect(ledger.size() === before, `without standbys ${ledger.size() - before} rows were confirmed`);
      for (const host of standbys) host.start();
    },
  },
  {
    name: 'the members of etcd are killed one after another',
    maxSilenceMs: FAILOVER_MS,
    async play({ cluster: { databases }, world }) {
      const hosts = world.random.shuffle([...databases.hosts]);
      for (const { etcd } of hosts) {
        await etcd.kill();
        await wait(TTL_MS / 2);
      }
      await wait(TTL_MS);
      for (const { etcd } of hosts) etcd.start();
    },
  },
  {
    // PostgreSQL refuses writes and lives, so Patroni leaves it the primary.
    name: 'the disk of the primary is full, and the operator has it hand over',
    async play({ cluster: { databases } }) {
      const host = await databases.standby();
      await host.patroni.kill();
      host.startOnSmallDisk(SMALL_DISK);
      await databases.untilWhole();
      // Only one that confirms may take over.
      const other = await databases.syncStandby();
      await other.patroni.kill();
      await databases.until('a new standby that confirms', async () => (await databases.syncStandby()) === host);
      other.patroni.start();
      await databases.untilWhole();
      const leader = await databases.leader();
      await databases.switchOver(leader, host);
      await databases.untilLeaderIsNot(leader);
      await databases.untilWhole();
      fill(host);
      await wait(QUIET_MS);
      await databases.switchOver(host, await databases.syncStandby());
      await databases.untilLeaderIsNot(host);
      await host.patroni.kill();
      host.patroni.start();
    },
  },
  {
    name: 'the operators archive with pgBackRest, and bring a moment back',
    async play({ cluster: { databases }, expect }) {
      const tables = await bringBack(databases);
      expect(tables.join() === 'first', `what was brought back has ${tables.join()}, not only what was there then`);
    },
  },
  {
    name: 'a server is given a pooler in transaction mode, and does not start',
    async play({ cluster: { servers, databases, folder }, world, expect }) {
      const server = world.random.pick(servers);
      const { url, isReady, close } = await startPgbouncer(folder, (await databases.leader()).siteUrl);
      await databases.until('PgBouncer', isReady);
      await server.stop();
      const said = await server.start({ DATABASE_URL: url }).catch(String);
      expect(said.includes('name PostgreSQL itself, not a pooler'), `behind PgBouncer it said ${said.slice(-500)}`);
      await server.start();
      await untilReady(server.url);
      await close();
    },
  },
  {
    name: 'the clock of a server is five minutes ahead, and visitors are to go to the other one',
    async play({ cluster: { servers }, world, expect }) {
      const server = world.random.pick(servers);
      await server.stop();
      await server.start({ TEST_CLOCK_OFFSET_MS: String(CLOCK_OFF_MS) });
      for (const each of servers) {
        const { status } = await fetchStatus(each.url, '/readyz');
        expect(status === (each === server ? 503 : 200), `with one clock ahead /readyz was answered ${status}`);
      }
      await server.stop();
      await server.start();
      await untilReady(server.url);
    },
  },
];

/** Takes the database away from one server for some seconds. The other one goes on, and the first one comes back by itself. */
function partition(how: ConnectionFault, name: string): Event {
  return {
    name,
    async play({ cluster: { servers }, world, expect }) {
      const server = world.random.pick(servers);
      const pid = server.pid();
      const cutAt = Date.now();
      await server.database.break(how);
      for (let nth = 0; Date.now() - cutAt < PARTITION_MS; nth++) {
        const path = stateOf(`cut-${nth}`);
        for (const { url } of servers.filter((each) => each !== server)) {
          const { status } = await fetchStatus(url, path);
          expect(status === 200, `the server that had the database answered ${status}`);
        }
        const { status, retryAfter } = await fetchStatus(server.url, path);
        expect(status === 503 && retryAfter !== null, `the server without the database answered ${status}`);
        const page = await fetchStatus(server.url, '/plans');
        expect(page.status === 200, `the server without the database answered ${page.status} to a page`);
      }
      await server.database.mend();
      const mendedAt = Date.now();
      await untilReady(server.url);
      expect(
        Date.now() - mendedAt < RECOVERY_MS,
        `the server needed ${Date.now() - mendedAt} ms to find the database again`,
      );
      expect(server.isRunning() && server.pid() === pid, 'the server did not go on');
    },
  };
}

const stateOf = (device: string) => `/api/keysystem/state?hwid=device-${device}&zone=zone-1`;

/** Sends a request. Never rejects: without an answer, `status` is the text of the error. */
async function fetchStatus(url: string, path: string): Promise<{ status: number | string; retryAfter: string | null }> {
  try {
    const { status, headers } = await fetch(url + path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status, retryAfter: headers.get('retry-after') };
  } catch (error) {
    return { status: String(error), retryAfter: null };
  }
}

/** Hands in a captcha's solution as a new device, which a server writes down. */
async function passCaptcha(world: World): Promise<Answer> {
  const player = createPlayer(world, { random: world.random.fork(`writer/${world.requests}`), address: '127.0.0.1' });
  return player.handIn(await player.solveCaptcha());
}

/** Writes into the folder of a host's database until there is no room. */
function fill(host: DatabaseHost): void {
  const megabyte = Buffer.alloc(1024 ** 2);
  const file = host.patroni.pathOf('/var/lib/postgresql/full');
  try {
    for (;;) writeFileSync(file, megabyte, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
