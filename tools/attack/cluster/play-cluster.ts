import { setTimeout as wait } from 'node:timers/promises';
import { trackItems } from '../../../api/src/ops/progress.ts';
import { openCluster, untilReady, type Cluster } from '../../cluster/open-cluster.ts';
import { CLUSTER_EVENTS } from './events.ts';
import { keepLedger } from './ledger.ts';
import { DEVICE_LIMITS, simulateDevices } from '../players/devices.ts';
import type { Report } from '../report.ts';
import { queryPostgres } from '../../machine/query-postgres.ts';
import { createRandom } from '../world/random.ts';
import type { Server } from '../../site/server.ts';
import { openWorld, type PlayedSite } from '../world/world.ts';

/** All players come from one address: nginx ignores what a client says of its own. */
const SINGLE_ADDRESS_LIMITS = {
  ...DEVICE_LIMITS,
  networkStartsPerHour: { soft: 1_000_000, hard: 1_000_000 },
  perAddress: { reads: 1_000_000, captchas: 1_000_000, payments: 1_000_000, readiness: 1_000_000, mails: 1_000_000 },
  keysPerMinute: 1_000_000,
  keyChecksPerMinute: 1_000_000,
};
const VISITOR_COUNT = 6;
/** How long each of them reads a page; without it they would compute all the time that the servers need. */
const READING_MS = 10;
const QUIET_MS = 1500;
/** How much longer things may take in `npm test`, which has other tests beside this. */
const BUSY = 2;

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
}): Promise<Report> {
  const random = createRandom(seed);
  const opened: Cluster[] = [];
  const world = await openWorld({
    random,
    limits: SINGLE_ADDRESS_LIMITS,
    openSite: async (options) => {
      const cluster = await openCluster(options);
      opened.push(cluster);
      return asSite(cluster);
    },
  });
  const [cluster] = opened;
  if (!cluster) throw new Error('The cluster was not opened');
  const { findings } = world;
  const failed: string[] = [];
  /** For each kind of event: how often it was played, and what was counted meanwhile. */
  const events: Record<string, { played: number; failed: number; confirmed: number; silentMs: number }> = {};
  const { servers, databases } = cluster;
  const ledger = await keepLedger(
    servers.map(({ database }) => database.url),
    databases.hosts.map(({ siteUrl }) => siteUrl),
  );
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
    const devices = simulateDevices(world, { random, onOutage: (error) => failed.push(String(error)) });
    const visiting = Array.from({ length: VISITOR_COUNT }, (_, nth) => visit(nth));

    findings.cluster.push(...(await databases.unsafeSettings()));
    const played = CLUSTER_EVENTS.filter((event) => event.isShort || !isShort);
    for (const event of trackItems('Cluster', random.shuffle(Array.from({ length: rounds }, () => played).flat()))) {
      const expect = (isSo: boolean, what: string) => void (isSo || findings.cluster.push(`${event.name}: ${what}`));
      failed.length = 0;
      try {
        await event.play({ cluster, world, ledger, expect });
        await databases.untilWhole();
        // By themselves: nobody restarts them.
        for (const { url } of servers) await untilReady(url);
      } catch (error) {
        // What comes next could not begin with a whole cluster.
        expect(false, String(error));
        break;
      }
      const tally = (events[event.name] ??= { played: 0, failed: 0, confirmed: 0, silentMs: 0 });
      const silentMs = ledger.longestMs();
      tally.played += 1;
      tally.failed += failed.length;
      tally.confirmed += ledger.size();
      tally.silentMs = Math.max(tally.silentMs, silentMs);
      expect(
        silentMs <= (event.maxSilenceMs ?? Infinity) * (isShort ? BUSY : 1),
        `for ${silentMs} ms nobody could write`,
      );
      for (const { name, count } of await ledger.check(databases.hosts, databases.untilReplayed))
        if (count > 0) findings.lost.push(`${event.name}: ${name} lacks ${count} acknowledged rows`);
      if (event.isUnnoticed) for (const what of failed) expect(false, what);
      await wait(QUIET_MS);
      await devices.compare();
      failed.length = 0;
      await wait(QUIET_MS);
      if (failed.length > 0) expect(false, `afterwards ${failed.length} requests failed: ${failed[0]}`);
    }
    isOver = true;
    await ledger.stop();
    await Promise.all(visiting);
    await devices.finish();
    if (/hwid|return\/|client: |"GET |"POST /.test(cluster.nginx.logged()))
      findings.secrets.push('nginx has written an address or a network into its logs');
    const table = Object.entries(events).map(
      ([name, { played, failed, confirmed, silentMs }]) =>
        `\n  ${String(played).padStart(6)} × ${name}; ${failed} requests failed meanwhile, ${confirmed} rows confirmed, none for at most ${(silentMs / 1000).toFixed(1)} s`,
    );
    return {
      summary: `A cluster, seed ${seed}: ${devices.devices.length} devices, ${devices.factCount()} acknowledged facts, ${cluster.nginx.lines().length} requests through nginx\n${table.join('')}`,
      findings,
    };
  } finally {
    isOver = true;
    await world.close();
  }
}

/** Loads a page, reads a state, or checks a key. Returns what went wrong. */
async function visitOnce(url: string, nth: number): Promise<string | undefined> {
  const device = `hwid=visitor-${nth}&zone=zone`;
  const body = JSON.stringify({ key: 'no key', hwid: `visitor-${nth}`, app: 'main' });
  const asks: [path: string, init: RequestInit][] = [
    [`/key-system-1?${device}`, {}],
    [`/api/keysystem/state?${device}`, {}],
    ['/api/key/verify', { method: 'POST', headers: { 'content-type': 'application/json' }, body }],
  ];
  const [path, init] = asks[nth % asks.length] ?? ['/', {}];
  try {
    const answer = await fetch(url + path, init);
    await answer.text();
    return answer.status >= 500 ? `${path} was answered ${answer.status}` : undefined;
  } catch (error) {
    return `${path}: ${String(error)}`;
  }
}

/** The cluster, as the world of an attack wants its one server and its database. */
function asSite(cluster: Cluster): PlayedSite {
  const [first] = cluster.servers;
  const rows = <Row>(sql: string) => queryPostgres<Row>(first?.database.url ?? '', sql);
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
