import { setTimeout as wait } from 'node:timers/promises';
import { untilReady, type Cluster } from '../cluster/open-cluster.ts';
import type { Answer } from './client.ts';
import { createPlayer } from './player.ts';
import type { World } from './world.ts';

const CALM_MS = 1500;
/** How long visitors may be told to ask again after the operator's command. */
const RECOVERY_MS = 5000;

interface Play {
  cluster: Cluster;
  world: World;
  expect: (isSo: boolean, what: string) => void;
}

interface Event {
  name: string;
  /** Whether no request may fail meanwhile. */
  isUnnoticed?: boolean;
  play: (site: Play) => Promise<void>;
}

/** What may happen to a cluster. Each leaves it whole: two servers, a primary and two standbys. */
export const CLUSTER_EVENTS: readonly Event[] = [
  {
    name: 'the servers are restarted one after another',
    isUnnoticed: true,
    play: ({ cluster }) => cluster.restartServers(),
  },
  {
    name: 'a server is killed, and the other one goes on',
    async play({ cluster: { url, servers }, world, expect }) {
      const server = world.random.pick(servers);
      await server.kill();
      for (let nth = 0; nth < 20; nth++) {
        const { status } = await fetch(`${url}/key-system-1?hwid=device-${nth}&zone=zone`);
        expect(status === 200, `with one server left a page was answered ${status}`);
      }
      await server.start();
      await untilReady(server.url);
      await wait(CALM_MS);
    },
  },
  {
    name: 'one standby is stopped and comes back',
    isUnnoticed: true,
    async play({ cluster: { databases }, world }) {
      const standby = world.random.pick(databases.standbys());
      await standby.kill();
      await wait(CALM_MS);
      await standby.start();
      await databases.untilFollowed(2);
    },
  },
  {
    name: 'the primary is killed, and the operator promotes a standby',
    async play({ cluster: { databases, servers }, expect }) {
      const former = databases.primary();
      await former.kill();
      await wait(CALM_MS);
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
    name: 'no standby is left, so writes are refused until the operator says that none is needed',
    async play({ cluster: { url, databases }, world, expect }) {
      const primary = databases.primary();
      for (const standby of databases.standbys()) await standby.kill();
      const read = await fetch(`${url}/api/keysystem/state?hwid=device-${world.random.hex(8)}&zone=zone`);
      expect(read.status === 200, `without standbys a read was answered ${read.status}`);
      const { status, headers } = await passCaptcha(world);
      expect(status === 503 && headers['retry-after'] !== undefined, `without standbys a write was answered ${status}`);

      await primary.query("alter system set synchronous_standby_names = ''");
      await primary.query('select pg_reload_conf()');
      await wait(CALM_MS);
      const written = await passCaptcha(world);
      expect(written.status === 200, `after the operator’s command a write was answered ${written.status}`);

      for (const standby of databases.standbys()) await standby.start();
      await primary.query('alter system reset synchronous_standby_names');
      await primary.query('select pg_reload_conf()');
      await databases.untilFollowed(2);
    },
  },
];

/** Hands in a captcha's solution as a new device, which a server writes down. */
async function passCaptcha(world: World): Promise<Answer> {
  const player = createPlayer(world, { random: world.random.fork(`writer/${world.requests}`), address: '127.0.0.1' });
  return player.handIn(await player.solveCaptcha());
}
