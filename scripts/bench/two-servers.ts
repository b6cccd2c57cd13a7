import { availableParallelism } from 'node:os';
import { asSite, ONE_ADDRESS } from '../attack/cluster.ts';
import { createClient } from '../attack/client.ts';
import { createRandom } from '../attack/random.ts';
import { openWorld } from '../attack/world.ts';
import { openCluster, type Cluster } from '../cluster/open-cluster.ts';
import { inTurns, newPlayers, rateOf } from './calls.ts';
import { median } from './median.ts';
import type { Row } from './table.ts';

/** Calls of one turn, and how many at the same time. */
const CALLS = 3000;
const AT_ONCE = 32;

/** What two servers have to do of one server's calls, where each has its own core, and where they share two. */
const ENOUGH_CORES = 4;
const BAR = { manyCores: 1.6, twoCores: 0.9 };

/**
 * Compares the `state` calls that two servers answer with those of one, on a PostgreSQL with two standbys. The devices
 * have a run, and the calls go to the servers themselves, without nginx.
 */
export async function benchTwoServers(): Promise<Row[]> {
  const opened: Cluster[] = [];
  const site = await openWorld({
    random: createRandom(1),
    postgresUrl: undefined,
    limits: { ...ONE_ADDRESS, statesPerMinute: 1_000_000 },
    async openSite(options) {
      const cluster = await openCluster(options);
      opened.push(cluster);
      return asSite(cluster);
    },
  });
  const clients = opened.flatMap(({ servers }) => servers.map(({ url }) => createClient(url)));
  try {
    const players = await newPlayers(site);
    await rateOf(players.map((player) => () => player.press()));
    const paths = players.map((player) => `/api/keysystem/state?${player.who()}&app=main`);
    const measure = (servers: number) => () =>
      rateOf(
        Array.from({ length: CALLS }, (_, nth) => async () => {
          const { status } = (await clients[nth % servers]?.ask(paths[nth % paths.length] ?? '')) ?? {};
          if (status !== 200) throw new Error(`state answered ${status}`);
        }),
        AT_ONCE,
      );

    const turns = await inTurns({ one: measure(1), two: measure(2) });
    const [one, two] = [median(turns.one), median(turns.two)];
    const cores = availableParallelism();
    const bar = cores >= ENOUGH_CORES ? BAR.manyCores : BAR.twoCores;
    return [
      { servers: 1, perSecond: one, ratio: 1, bar: '', verdict: '' },
      { servers: 2, perSecond: two, ratio: two / one, bar, verdict: two / one >= bar ? 'held' : 'missed' },
    ];
  } finally {
    for (const client of clients) client.close();
    await site.close();
  }
}
