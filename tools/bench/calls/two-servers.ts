import { availableParallelism } from 'node:os';
import { asSite, ONE_ADDRESS } from '../../attack/cluster/play-cluster.ts';
import { createRandom } from '../../attack/world/random.ts';
import { openWorld } from '../../attack/world/world.ts';
import { openCluster, type Cluster } from '../../cluster/open-cluster.ts';
import { inTurns, newPlayers, rateOf } from './calls.ts';
import { loadFor } from '../measure/closed-loop.ts';
import { median } from '../measure/median.ts';
import type { Row } from '../measure/table.ts';

const TURN_S = 2;
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
  try {
    const players = await newPlayers(site);
    await rateOf(players.map((player) => () => player.clickComplete()));
    const states = players.map((player) => ({ path: `/api/keysystem/state?${player.who()}&app=main` }));
    const measure = (count: number) => async () => {
      const asked = opened.flatMap(({ servers }) => servers).slice(0, count);
      const loads = asked.map(({ url }) => loadFor(TURN_S, url, states, AT_ONCE / count));
      return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0);
    };

    const turns = await inTurns({ one: measure(1), two: measure(2) });
    const [one, two] = [median(turns.one), median(turns.two)];
    const cores = availableParallelism();
    const bar = cores >= ENOUGH_CORES ? BAR.manyCores : BAR.twoCores;
    return [
      { servers: 1, perSecond: one, ratio: 1, bar: '', verdict: '' },
      { servers: 2, perSecond: two, ratio: two / one, bar, verdict: two / one >= bar ? 'held' : 'missed' },
    ];
  } finally {
    await site.close();
  }
}
