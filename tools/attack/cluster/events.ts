import { setTimeout as wait } from 'node:timers/promises';
import type { ConnectionFault } from '../../cluster/database-line.ts';
import { untilReady, type Cluster } from '../../cluster/open-cluster.ts';
import type { Answer } from '../world/client.ts';
import { createPlayer } from '../players/player.ts';
import type { World } from '../world/world.ts';

const QUIET_MS = 1500;
/** How long visitors may be told to ask again after the operator's command. */
const RECOVERY_MS = 5000;
/** How long a server is cut off: longer than its statements and its looks for another host take. */
const PARTITION_MS = 9000;
/** How long a wrong host is offered to the servers: several times as long as they leave all hosts alone. */
const SPLIT_BRAIN_MS = 3000;
/** How long an answer that no standby confirms is waited for. */
const UNCONFIRMED_TIMEOUT_MS = 2000;
/** How long a server may take to end. */
const STOP_TIMEOUT_MS = 30_000;
/** How long an answer is waited for at most. */
const TIMEOUT_MS = 15_000;

interface EventContext {
  cluster: Cluster;
  world: World;
  expect: (isSo: boolean, what: string) => void;
}

export interface Event {
  name: string;
  /** Whether `npm test` plays it as well. */
  isShort?: boolean;
  /** Whether no request may fail meanwhile. */
  isUnnoticed?: boolean;
  play: (site: EventContext) => Promise<void>;
}

/** What may happen to a cluster. Each leaves it whole: two servers, a primary and two standbys. */
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
    name: 'one standby is stopped and comes back',
    isUnnoticed: true,
    async play({ cluster: { databases }, world }) {
      const standby = world.random.pick(databases.standbys());
      await standby.kill();
      await wait(QUIET_MS);
      await standby.start();
      await databases.untilFollowed(2);
    },
  },
  {
    name: 'the primary is killed, and the operator promotes a standby',
    async play({ cluster: { databases, servers }, world, expect }) {
      const former = databases.primary();
      await former.kill();
      // A standby that starts without its primary has received nothing, and only replays what it has.
      const restarted = world.random.pick(databases.standbys());
      await restarted.kill();
      await restarted.start();
      await wait(QUIET_MS);
      expect(await databases.refusesUnreachable(), 'a mistyped host was no reason to change nothing');
      await databases.promote();
      const promotedAt = Date.now();
      for (const { url } of servers) await untilReady(url);
      expect(
        Date.now() - promotedAt < RECOVERY_MS,
        `the servers needed ${Date.now() - promotedAt} ms to find the primary`,
      );
      await databases.rebuild(former);
      await databases.untilFollowed(2);
    },
  },
  {
    name: 'the former primary is started as it was, and stays unused',
    async play({ cluster: { databases, servers }, world, expect }) {
      const former = databases.primary();
      await former.kill();
      await databases.promote();
      await former.start();
      for (const { url } of servers) await untilReady(url);
      const timelines = [databases.primary(), ...databases.standbys().filter((host) => host !== former)].map((host) =>
        host.query<{ newest: number }>('select timeline_id as newest from pg_control_checkpoint()'),
      );
      const [[primary], [standby]] = (await Promise.all(timelines)) as [{ newest: number }[], { newest: number }[]];
      expect(primary?.newest === standby?.newest, 'the standby does not know yet that there is a new primary');

      // A server that starts now has to choose between the two.
      const late = world.random.pick(servers);
      await late.stop();
      await late.start();
      await untilReady(late.url);

      // Now no other host takes writes than the wrong one.
      await databases.primary().kill();
      for (const until = Date.now() + SPLIT_BRAIN_MS; Date.now() < until; await wait(50))
        for (const { url } of servers) {
          const { status } = await fetchStatus(url, stateOf('1234'));
          expect(status === 503, `while only the former primary was there, a read was answered ${status}`);
        }
      await databases.primary().start();
      for (const { url } of servers) await untilReady(url);

      const [written] = await former.query<{ rows: number }>(
        'select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) as rows from pg_stat_user_tables',
        { database: 'site' },
      );
      expect(Number(written?.rows) === 0, `the former primary has taken ${written?.rows} rows`);
      const isConfirmed = await Promise.race([
        former.query('create table never_confirmed ()').then(
          () => true,
          () => false,
        ),
        wait(UNCONFIRMED_TIMEOUT_MS, false),
      ]);
      expect(!isConfirmed, 'the former primary has confirmed a write by itself');
      await former.kill();
      await databases.rebuild(former);
      await databases.untilFollowed(2);
    },
  },
  {
    name: 'the command that promotes dies half-way, and the operator runs it again',
    async play({ cluster: { databases, servers }, expect }) {
      const former = databases.primary();
      await former.kill();
      // What a run has done that died after the promotion: here of the host that it does not look at first.
      for (const standby of databases.standbys()) {
        await standby.query("alter system set primary_conninfo = ''");
        await standby.query('select pg_reload_conf()');
      }
      const promoted = databases.standbys().at(-1);
      await promoted?.query('select pg_promote()', { isConfirmed: false });
      await databases.promote();
      expect(databases.primary() === promoted, 'the second run has promoted another standby');
      await databases.rebuild(former);
      await databases.untilFollowed(2);
      for (const { url } of servers) await untilReady(url);
    },
  },
  {
    name: 'no standby is left, so writes are refused until the operator says that none is needed',
    async play({ cluster: { url, databases, servers }, world, expect }) {
      const primary = databases.primary();
      for (const standby of databases.standbys()) await standby.kill();
      const read = await fetchStatus(url, stateOf(world.random.hex(8)));
      expect(read.status === 200, `without standbys a read was answered ${read.status}`);
      const { status, headers } = await passCaptcha(world);
      expect(status === 503 && headers['retry-after'] !== undefined, `without standbys a write was answered ${status}`);

      await primary.query("alter system set synchronous_standby_names = ''");
      await primary.query('select pg_reload_conf()');
      await wait(QUIET_MS);
      const written = await passCaptcha(world);
      expect(written.status === 200, `after the operator’s command a write was answered ${written.status}`);

      // These copies also have what the operator has said, and the one that is promoted has to forget it.
      for (const standby of databases.standbys()) await databases.rebuild(standby);
      await primary.query('alter system reset synchronous_standby_names');
      await primary.query('select pg_reload_conf()');
      await databases.untilFollowed(2);
      await primary.kill();
      await databases.promote();
      await databases.rebuild(primary);
      await databases.untilFollowed(2);
      for (const { url } of servers) await untilReady(url);
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
