import { setTimeout as wait } from 'node:timers/promises';
import { counted } from '../../../api/src/ops/progress.ts';
import { openCluster, type Cluster } from '../../cluster/open-cluster.ts';
import { CLUSTER_EVENTS } from './events.ts';
import { countOpened, type CountTimes } from './online-count.ts';
import { checkProxy, checkRequestIds, visitOnce } from './visits.ts';
import { DEVICE_LIMITS, playDevices, type DeviceFindings } from '../players/devices.ts';
import { createRandom } from '../world/random.ts';
import type { Server } from '../../site/server.ts';
import { openWorld, type PlayedSite } from '../world/world.ts';

/** All players come from one address: nginx ignores what a client says of its own. */
const ONE_ADDRESS = {
  ...DEVICE_LIMITS,
  networkStartsPerHour: { soft: 1_000_000, hard: 1_000_000 },
  perAddress: { reads: 1_000_000, captchas: 1_000_000, payments: 1_000_000, readiness: 1_000_000, mails: 1_000_000 },
  unknownReturnsPerMinute: 20,
  keysPerMinute: 1_000_000,
  keyChecksPerMinute: 1_000_000,
};
const VISITORS = 6;
/** How long each of them reads a page; without it they would compute all the time that the servers need. */
const READING_MS = 10;
const CALM_MS = 1500;

export interface ClusterReport {
  seed: number;
  rounds: number;
  devices: number;
  facts: number;
  requests: number;
  count: CountTimes;
  /** For each kind of event: how often it was played, and how many requests failed meanwhile. */
  events: Record<string, { played: number; failed: number }>;
  findings: DeviceFindings & { cluster: string[] };
}

/**
 * Plays honest devices and visitors on a whole cluster while each event happens so many times, in a random order. What was
 * acknowledged has to be there in the end, and no request may fail during the events that have to stay unnoticed.
 * @param isShort whether only the events are played that `npm test` plays
 */
export async function playCluster({
  seed,
  rounds,
  isShort,
}: {
  seed: number;
  rounds: number;
  isShort: boolean;
}): Promise<ClusterReport> {
  const random = createRandom(seed);
  const opened: Cluster[] = [];
  const world = await openWorld({
    random,
    postgresUrl: undefined,
    limits: ONE_ADDRESS,
    openSite: async (options) => {
      const cluster = await openCluster(options);
      opened.push(cluster);
      return asSite(cluster);
    },
  });
  const [cluster] = opened;
  if (!cluster) throw new Error('The cluster was not opened');
  const findings = Object.assign(world.findings, { lost: [] as string[], cluster: [] as string[] });
  const failed: string[] = [];
  const events: ClusterReport['events'] = {};
  const count: CountTimes = { opened: [], died: [] };
  let isOver = false;

  const visit = async (nth: number) => {
    for (; !isOver; nth += 1) {
      const problem = await visitOnce(cluster.url, nth);
      if (problem !== undefined) failed.push(problem);
      await wait(READING_MS);
    }
  };

  try {
    // What the visitors and devices meet is counted for each event.
    world.toleratesErrors = true;
    await checkProxy(cluster, findings.cluster);
    await checkRequestIds(cluster, findings.cluster);
    await countOpened(cluster, count, findings.cluster);
    const devices = playDevices(world, { random, findings, onOutage: (error) => failed.push(String(error)) });
    const visiting = Array.from({ length: VISITORS }, (_, nth) => visit(nth));

    const played = CLUSTER_EVENTS.filter((event) => event.isShort || !isShort);
    for (const event of counted('Cluster', random.shuffle(Array.from({ length: rounds }, () => played).flat()))) {
      const expect = (isSo: boolean, what: string) => void (isSo || findings.cluster.push(`${event.name}: ${what}`));
      failed.length = 0;
      await event.play({ cluster, world, count, expect });
      const tally = (events[event.name] ??= { played: 0, failed: 0 });
      tally.played += 1;
      tally.failed += failed.length;
      if (event.isUnnoticed) for (const what of failed) expect(false, what);
      await wait(CALM_MS);
      await devices.compare();
      failed.length = 0;
      await wait(CALM_MS);
      if (failed.length > 0) expect(false, `afterwards ${failed.length} requests failed: ${failed[0]}`);
    }
    isOver = true;
    await Promise.all(visiting);
    await devices.finish();
    if (/hwid|return\/|client: |"GET |"POST /.test(cluster.nginx.logged()))
      findings.secrets.push('nginx has written an address or a network into its logs');
    return {
      seed,
      rounds,
      devices: devices.devices.length,
      facts: devices.factCount(),
      requests: cluster.nginx.lines().length,
      count,
      events,
      findings,
    };
  } finally {
    isOver = true;
    await world.close();
  }
}

/** The cluster, as the world of an attack wants its one server and its database. */
function asSite(cluster: Cluster): PlayedSite {
  const [first] = cluster.servers;
  const rows = <Row>(sql: string) => cluster.databases.primary().query<Row>(sql, { database: 'site' });
  return {
    server: { ...(first as Server), start: () => Promise.resolve(cluster.url), stop: cluster.close },
    database: {
      name: 'A cluster',
      settings: {},
      rows,
      write: async (sql) => void (await rows(sql)),
      drop: () => Promise.resolve(),
    },
  };
}
